// Descriptions of training jobs, and their end by a call.
#include <algorithm>
#include <any>
#include <chrono>
#include <cmath>
#include <ranges>

#include "base/text/base64.h"
#include "fakes/sagemaker/actions.h"

namespace fakes::sagemaker {
namespace {

using sim::cloud::ApiError;
using sim::sagemaker::Job;

api::Timestamp stamp(sim::Time t) { return api::Timestamp(t.time_since_epoch()); }

std::optional<api::Timestamp> stamp(const std::optional<sim::Time>& t) {
  return t ? std::optional(stamp(*t)) : std::nullopt;
}

std::int64_t whole_seconds(sim::Duration d) { return std::llround(sim::seconds(d)); }

// Shows the request's members.
void show_request(const op::CreateTrainingJob::Request& asked,
                  op::DescribeTrainingJob::Response& shown) {
  shown.algorithm_specification = asked.algorithm_specification;
  shown.checkpoint_config = asked.checkpoint_config;
  shown.debug_hook_config = asked.debug_hook_config;
  shown.debug_rule_configurations = asked.debug_rule_configurations;
  shown.enable_inter_container_traffic_encryption =
      asked.enable_inter_container_traffic_encryption.value_or(false);
  shown.enable_managed_spot_training = asked.enable_managed_spot_training.value_or(false);
  shown.enable_network_isolation = asked.enable_network_isolation.value_or(false);
  shown.environment = asked.environment;
  shown.experiment_config = asked.experiment_config;
  shown.hyper_parameters = asked.hyper_parameters;
  shown.input_data_config = asked.input_data_config;
  shown.output_data_config = asked.output_data_config;
  shown.profiler_config = asked.profiler_config;
  shown.profiler_rule_configurations = asked.profiler_rule_configurations;
  shown.resource_config = asked.resource_config;
  shown.retry_strategy = asked.retry_strategy;
  shown.role_arn = asked.role_arn;
  shown.stopping_condition = asked.stopping_condition;
  shown.tensor_board_output_config = asked.tensor_board_output_config;
  shown.vpc_config = asked.vpc_config;
}

bool passes(const Job& job, const op::ListTrainingJobs::Request& request) {
  const auto between = [](sim::Time at, const auto& after, const auto& before) {
    return (!after || stamp(at) > *after) && (!before || stamp(at) < *before);
  };
  return job.spec.name.find(request.name_contains.value_or("")) != std::string::npos &&
         request.status_equals.value_or(std::string(name(job.status))) == name(job.status) &&
         between(job.created, request.creation_time_after, request.creation_time_before) &&
         between(job.modified, request.last_modified_time_after, request.last_modified_time_before);
}

}  // namespace

op::DescribeTrainingJob::Response describe_training_job(
    Call& call, const op::DescribeTrainingJob::Request& request) {
  const Job& job = call.backend.training.job(request.training_job_name.value());
  op::DescribeTrainingJob::Response shown;
  show_request(std::any_cast<const op::CreateTrainingJob::Request&>(job.spec.asked), shown);
  shown.training_job_name = job.spec.name;
  shown.training_job_arn = job.arn;
  shown.training_job_status = std::string(name(job.status));
  shown.secondary_status = job.transitions.back().status;
  for (const auto& step : job.transitions)
    shown.secondary_status_transitions.push_back({.end_time = stamp(step.end),
                                                  .start_time = stamp(step.start),
                                                  .status = step.status,
                                                  .status_message = step.message});
  shown.creation_time = stamp(job.created);
  shown.last_modified_time = stamp(job.modified);
  shown.training_start_time = stamp(job.training_start);
  shown.training_end_time = stamp(job.training_end);
  if (!job.failure_reason.empty()) shown.failure_reason = job.failure_reason;
  shown.model_artifacts = api::sagemaker::ModelArtifacts{.s3_model_artifacts = job.model_uri};
  if (job.training) shown.training_time_in_seconds = whole_seconds(*job.training);
  if (job.billable) shown.billable_time_in_seconds = whole_seconds(*job.billable);
  return shown;
}

op::ListTrainingJobs::Response list_training_jobs(Call& call,
                                                  const op::ListTrainingJobs::Request& request) {
  std::vector<const Job*> jobs = call.backend.training.jobs();
  std::erase_if(jobs, [&](const Job* job) { return !passes(*job, request); });
  const std::string by = request.sort_by.value_or("CreationTime");
  if (by == "Name")
    std::ranges::stable_sort(jobs, {}, [](const Job* job) { return job->spec.name; });
  if (by == "Status")
    std::ranges::stable_sort(jobs, {}, [](const Job* job) { return name(job->status); });
  if (request.sort_order.value_or("Descending") == "Descending") std::ranges::reverse(jobs);

  op::ListTrainingJobs::Response response;
  response.training_job_summaries.give();
  auto at = jobs.begin();
  if (request.next_token) {
    const auto last = base::base64_decode(*request.next_token);
    at = std::ranges::find_if(jobs, [&](const Job* job) { return last == job->spec.name; });
    if (at == jobs.end()) throw ApiError("ValidationException", "Invalid NextToken");
    ++at;
  }
  const auto most = static_cast<std::size_t>(request.max_results.value_or(10));
  for (; at != jobs.end() && response.training_job_summaries.size() < most; ++at)
    response.training_job_summaries.push_back(
        {.creation_time = stamp((*at)->created),
         .last_modified_time = stamp((*at)->modified),
         .training_end_time = stamp((*at)->training_end),
         .training_job_arn = (*at)->arn,
         .training_job_name = (*at)->spec.name,
         .training_job_status = std::string(name((*at)->status))});
  if (at != jobs.end()) response.next_token = base::base64_encode((*std::prev(at))->spec.name);
  return response;
}

op::StopTrainingJob::Response stop_training_job(Call& call,
                                                const op::StopTrainingJob::Request& request) {
  call.backend.training.stop(request.training_job_name.value());
  return {};
}

}  // namespace fakes::sagemaker
