#include "base/spot_notice.h"

#include <nlohmann/json.hpp>

#include "base/json/json_text.h"

namespace base {
namespace {

nlohmann::json document_of(std::string_view body) {
  return nlohmann::json::parse(std::string(body), nullptr, false);
}

}  // namespace

std::optional<InstanceAction> parse_instance_action(std::string_view body) {
  const auto document = document_of(body);
  const std::string action = text_of(document, "action");
  if (action != "terminate" && action != "stop" && action != "hibernate") return {};
  const auto time = parse_iso_time(text_of(document, "time"));
  if (!time) return {};
  return InstanceAction{action, *time};
}

bool is_rebalance_recommendation(std::string_view body) {
  return parse_iso_time(text_of(document_of(body), "noticeTime")).has_value();
}

}  // namespace base
