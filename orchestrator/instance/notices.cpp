#include "orchestrator/instance/notices.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "orchestrator/aws/iso_time.h"

namespace spotrun {
namespace {

constexpr Duration kUsualNotice{120'000};

std::string member(const nlohmann::json& document, const char* name) {
  if (!document.is_object()) return "";
  const auto found = document.find(name);
  return found != document.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::optional<InterruptionNotice> Notices::look(Time now) {
  try {
    if (auto notice = read_action(now)) return notice;
    if (!recommended_) {
      if (const auto body = imds_.get("meta-data/events/recommendations/rebalance")) {
        recommended_ = true;
        log_.say("EC2 recommends to rebalance: " + *body);
      }
    }
    return std::nullopt;
  } catch (const aws::ImdsError& error) {
    log_.say(fmt::format("cannot look for a notice: {}", error.what()));
    return std::nullopt;
  }
}

std::optional<InterruptionNotice> Notices::read_action(Time now) {
  const auto body = imds_.get("meta-data/spot/instance-action");
  if (!body) return std::nullopt;
  const auto document = nlohmann::json::parse(*body, nullptr, false);
  const std::string action = member(document, "action");
  if (action.empty()) {
    log_.say("spot/instance-action is no notice: " + body->substr(0, 200));
    return std::nullopt;
  }
  const auto at = aws::parse_iso_time(member(document, "time"));
  return InterruptionNotice{action, at.value_or(now + kUsualNotice)};
}

}  // namespace spotrun
