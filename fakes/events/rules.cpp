// Rules.
#include "fakes/events/actions.h"
#include "fakes/events/page.h"
#include "sim/kernel/shallow_json.h"

namespace fakes::events {
namespace {

using sim::messaging::Rule;

constexpr const char* kEnabled = "ENABLED";

// The fields that DescribeRule and ListRules both show.
template <class Shown>
Shown shown(const Rule& rule) {
  Shown out;
  out.arn = rule.arn;
  out.description = given(rule.description);
  out.event_bus_name = rule.bus;
  out.event_pattern = given(rule.pattern);
  out.name = rule.name;
  out.role_arn = given(rule.role);
  out.schedule_expression = given(rule.schedule);
  out.state = rule.enabled ? kEnabled : "DISABLED";
  return out;
}

}  // namespace

op::PutRule::Response put_rule(Call& call, const op::PutRule::Request& request) {
  const Rule& rule = buses(call).put_rule(request.event_bus_name.value_or(""),
                                          {.name = request.name.value(),
                                           .pattern = request.event_pattern.value_or(""),
                                           .schedule = request.schedule_expression.value_or(""),
                                           .description = request.description.value_or(""),
                                           .role = request.role_arn.value_or(""),
                                           .enabled = request.state.value_or(kEnabled) == kEnabled},
                                          tags_in(request.tags));
  return {.rule_arn = rule.arn};
}

op::DeleteRule::Response delete_rule(Call& call, const op::DeleteRule::Request& request) {
  buses(call).delete_rule(request.event_bus_name.value_or(""), request.name.value());
  return {};
}

op::DescribeRule::Response describe_rule(Call& call, const op::DescribeRule::Request& request) {
  auto response = shown<op::DescribeRule::Response>(
      buses(call).rule(request.event_bus_name.value_or(""), request.name.value()));
  response.created_by = call.cloud.config().account_id;
  return response;
}

op::ListRules::Response list_rules(Call& call, const op::ListRules::Request& request) {
  const std::string prefix = request.name_prefix.value_or("");
  op::ListRules::Response response;
  response.rules.give();
  response.next_token = page(
      buses(call).bus(request.event_bus_name.value_or("")).rules, request.next_token, request.limit,
      [&](const Rule& rule) { return rule.name.starts_with(prefix); },
      [&](const Rule& rule) { response.rules.push_back(shown<api::events::Rule>(rule)); });
  return response;
}

op::EnableRule::Response enable_rule(Call& call, const op::EnableRule::Request& request) {
  buses(call).enable(request.event_bus_name.value_or(""), request.name.value(), true);
  return {};
}

op::DisableRule::Response disable_rule(Call& call, const op::DisableRule::Request& request) {
  buses(call).enable(request.event_bus_name.value_or(""), request.name.value(), false);
  return {};
}

op::TestEventPattern::Response test_pattern(Call&, const op::TestEventPattern::Request& request) {
  const sim::messaging::EventPattern pattern(request.event_pattern.value());
  const auto event = sim::parse_shallow_json(request.event.value());
  if (!event.is_object())
    throw ApiError("ValidationException",
                   "Parameter Event is not valid. Reason: it is not a JSON "
                   "object.");
  for (const char* member :
       {"id", "account", "source", "time", "region", "resources", "detail-type"})
    if (!event.contains(member))
      throw ApiError(
          "ValidationException",
          std::string("Parameter Event is not valid. Reason: \"") + member + "\" is missing.");
  return {.result = pattern.matches(event)};
}

}  // namespace fakes::events
