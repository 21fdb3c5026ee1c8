#include "fakes/fis/actions.h"
#include "fakes/service.h"

namespace fakes {

const Service& fis_service() {
  using namespace fis;
  static const ActionRow rows[] = {
      action<op::CreateExperimentTemplate, create_template>(),
      action<op::DeleteExperimentTemplate, delete_template>(),
      action<op::GetAction, get_action>(),
      action<op::GetExperiment, get_experiment>(),
      action<op::GetExperimentTemplate, get_template>(),
      action<op::GetTargetResourceType, get_target_type>(),
      action<op::ListActions, list_actions>(),
      action<op::ListExperimentTemplates, list_templates>(),
      action<op::ListExperiments, list_experiments>(),
      action<op::ListTagsForResource, list_tags>(),
      action<op::ListTargetResourceTypes, list_target_types>(),
      action<op::StartExperiment, start_experiment>(),
      action<op::StopExperiment, stop_experiment>(),
      action<op::TagResource, tag_resource>(),
      action<op::UntagResource, untag_resource>(),
      action<op::UpdateExperimentTemplate, update_template>(),
  };
  static const Service service{.model = api::fis::kService, .actions = rows};
  return service;
}

}  // namespace fakes
