#include "fakes/cloudformation/actions.h"
#include "fakes/service.h"

namespace fakes {

const Service& cloudformation_service() {
  using namespace cloudformation;
  static const ActionRow rows[] = {
      action<op::CancelUpdateStack, cancel_update>(),
      action<op::CreateChangeSet, create_change_set>(),
      action<op::CreateStack, create_stack>(),
      action<op::DeleteChangeSet, delete_change_set>(),
      action<op::DeleteStack, delete_stack>(),
      action<op::DescribeChangeSet, describe_change_set>(),
      action<op::DescribeStackEvents, describe_events>(),
      action<op::DescribeStackResource, describe_resource>(),
      action<op::DescribeStackResources, describe_resources>(),
      action<op::DescribeStacks, describe_stacks>(),
      action<op::ExecuteChangeSet, execute_change_set>(),
      action<op::GetTemplate, get_template>(),
      action<op::GetTemplateSummary, get_summary>(),
      action<op::ListChangeSets, list_change_sets>(),
      action<op::ListExports, list_exports>(),
      action<op::ListImports, list_imports>(),
      action<op::ListStackResources, list_resources>(),
      action<op::ListStacks, list_stacks>(),
      action<op::SignalResource, signal_resource>(),
      action<op::UpdateStack, update_stack>(),
      action<op::UpdateTerminationProtection, update_protection>(),
      action<op::ValidateTemplate, validate_template>(),
  };
  static const Service service{.model = api::cloudformation::kService, .actions = rows};
  return service;
}

}  // namespace fakes
