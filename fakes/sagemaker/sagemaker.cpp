#include "fakes/sagemaker/actions.h"
#include "fakes/service.h"

namespace fakes {

const Service& sagemaker_service() {
  using namespace sagemaker;
  static const ActionRow rows[] = {
      action<op::AddTags, add_tags>(),
      action<op::CreateTrainingJob, create_training_job>(),
      action<op::DeleteTags, delete_tags>(),
      action<op::DescribeTrainingJob, describe_training_job>(),
      action<op::ListTags, list_tags>(),
      action<op::ListTrainingJobs, list_training_jobs>(),
      action<op::StopTrainingJob, stop_training_job>(),
  };
  static const Service service{
      .model = api::sagemaker::kService, .actions = rows, .host = "api.sagemaker"};
  return service;
}

}  // namespace fakes
