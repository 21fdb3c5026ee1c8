#include "fakes/events/actions.h"
#include "fakes/service.h"

namespace fakes {

const Service& events_service() {
  using namespace events;
  static const ActionRow rows[] = {
      action<op::CreateEventBus, create_bus>(),
      action<op::DeleteEventBus, delete_bus>(),
      action<op::DeleteRule, delete_rule>(),
      action<op::DescribeEventBus, describe_bus>(),
      action<op::DescribeRule, describe_rule>(),
      action<op::DisableRule, disable_rule>(),
      action<op::EnableRule, enable_rule>(),
      action<op::ListEventBuses, list_buses>(),
      action<op::ListRuleNamesByTarget, list_rules_of_target>(),
      action<op::ListRules, list_rules>(),
      action<op::ListTagsForResource, list_tags>(),
      action<op::ListTargetsByRule, list_targets>(),
      action<op::PutEvents, put_events>(),
      action<op::PutRule, put_rule>(),
      action<op::PutTargets, put_targets>(),
      action<op::RemoveTargets, remove_targets>(),
      action<op::TagResource, tag_resource>(),
      action<op::TestEventPattern, test_pattern>(),
      action<op::UntagResource, untag_resource>(),
  };
  static const Service service{.model = api::events::kService, .actions = rows};
  return service;
}

}  // namespace fakes
