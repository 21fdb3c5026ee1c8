#include "orchestrator/instance/notices.h"

#include <fmt/format.h>

#include "base/spot_notice.h"

namespace spotrun {

std::optional<InterruptionNotice> Notices::look() {
  try {
    if (auto notice = read_action()) return notice;
    if (!recommended_) {
      const auto body = imds_.get("meta-data/events/recommendations/rebalance");
      if (body && base::is_rebalance_recommendation(*body)) {
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

std::optional<InterruptionNotice> Notices::read_action() {
  const auto body = imds_.get("meta-data/spot/instance-action");
  if (!body) return std::nullopt;
  if (const auto action = base::parse_instance_action(*body)) {
    return InterruptionNotice{action->action, std::chrono::floor<Duration>(action->time)};
  }
  log_.say("spot/instance-action is no notice: " + body->substr(0, 200));
  return std::nullopt;
}

}  // namespace spotrun
