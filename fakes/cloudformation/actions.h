// The handlers of CloudFormation's actions, grouped by file.
#pragma once

#include "api/cloudformation.h"
#include "fakes/action.h"

namespace fakes::cloudformation {

namespace op = api::cloudformation::op;
namespace aws = api::cloudformation;
using sim::cloud::ApiError;

// ---- operations.cpp: what changes stacks
op::CreateStack::Response create_stack(Call&, const op::CreateStack::Request&);
op::UpdateStack::Response update_stack(Call&, const op::UpdateStack::Request&);
op::DeleteStack::Response delete_stack(Call&, const op::DeleteStack::Request&);
op::CancelUpdateStack::Response cancel_update(Call&, const op::CancelUpdateStack::Request&);
op::UpdateTerminationProtection::Response update_protection(
    Call&, const op::UpdateTerminationProtection::Request&);
op::SignalResource::Response signal_resource(Call&, const op::SignalResource::Request&);

// ---- describe.cpp
op::DescribeStacks::Response describe_stacks(Call&, const op::DescribeStacks::Request&);
op::DescribeStackEvents::Response describe_events(Call&, const op::DescribeStackEvents::Request&);
op::ListStacks::Response list_stacks(Call&, const op::ListStacks::Request&);
op::ListExports::Response list_exports(Call&, const op::ListExports::Request&);
op::ListImports::Response list_imports(Call&, const op::ListImports::Request&);

// ---- resources.cpp
op::DescribeStackResource::Response describe_resource(Call&,
                                                      const op::DescribeStackResource::Request&);
op::DescribeStackResources::Response describe_resources(Call&,
                                                        const op::DescribeStackResources::Request&);
op::ListStackResources::Response list_resources(Call&, const op::ListStackResources::Request&);

// ---- templates.cpp
op::ValidateTemplate::Response validate_template(Call&, const op::ValidateTemplate::Request&);
op::GetTemplate::Response get_template(Call&, const op::GetTemplate::Request&);
op::GetTemplateSummary::Response get_summary(Call&, const op::GetTemplateSummary::Request&);

// ---- change_sets.cpp
op::CreateChangeSet::Response create_change_set(Call&, const op::CreateChangeSet::Request&);
op::DescribeChangeSet::Response describe_change_set(Call&, const op::DescribeChangeSet::Request&);
op::ExecuteChangeSet::Response execute_change_set(Call&, const op::ExecuteChangeSet::Request&);
op::DeleteChangeSet::Response delete_change_set(Call&, const op::DeleteChangeSet::Request&);
op::ListChangeSets::Response list_change_sets(Call&, const op::ListChangeSets::Request&);

}  // namespace fakes::cloudformation
