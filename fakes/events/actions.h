// The actions of Amazon EventBridge, by resource.
#pragma once

#include "api/events.h"
#include "fakes/action.h"

namespace fakes::events {

namespace op = api::events::op;

// ---- rules.cpp
op::PutRule::Response put_rule(Call&, const op::PutRule::Request&);
op::DeleteRule::Response delete_rule(Call&, const op::DeleteRule::Request&);
op::DescribeRule::Response describe_rule(Call&, const op::DescribeRule::Request&);
op::ListRules::Response list_rules(Call&, const op::ListRules::Request&);
op::EnableRule::Response enable_rule(Call&, const op::EnableRule::Request&);
op::DisableRule::Response disable_rule(Call&, const op::DisableRule::Request&);
op::TestEventPattern::Response test_pattern(Call&, const op::TestEventPattern::Request&);

// ---- targets.cpp
op::PutTargets::Response put_targets(Call&, const op::PutTargets::Request&);
op::RemoveTargets::Response remove_targets(Call&, const op::RemoveTargets::Request&);
op::ListTargetsByRule::Response list_targets(Call&, const op::ListTargetsByRule::Request&);
op::ListRuleNamesByTarget::Response list_rules_of_target(Call&,
                                                         const op::ListRuleNamesByTarget::Request&);

// ---- buses.cpp
op::CreateEventBus::Response create_bus(Call&, const op::CreateEventBus::Request&);
op::DeleteEventBus::Response delete_bus(Call&, const op::DeleteEventBus::Request&);
op::DescribeEventBus::Response describe_bus(Call&, const op::DescribeEventBus::Request&);
op::ListEventBuses::Response list_buses(Call&, const op::ListEventBuses::Request&);
op::PutEvents::Response put_events(Call&, const op::PutEvents::Request&);
op::TagResource::Response tag_resource(Call&, const op::TagResource::Request&);
op::UntagResource::Response untag_resource(Call&, const op::UntagResource::Request&);
op::ListTagsForResource::Response list_tags(Call&, const op::ListTagsForResource::Request&);

}  // namespace fakes::events
