// CreateTrainingJob: the checks before SageMaker accepts a job.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <optional>

#include "fakes/role_use.h"
#include "fakes/sagemaker/actions.h"

namespace fakes::sagemaker {
namespace {

using sim::cloud::ApiError;
using sim::sagemaker::Channel;
using sim::sagemaker::JobSpec;
using sim::sagemaker::S3Folder;

ApiError invalid(const std::string& message) { return {"ValidationException", message}; }

// The error with a message of AWS's common front end.
ApiError invalid_value(const std::string& value, const std::string& member,
                       const std::string& must) {
  return invalid("1 validation error detected: Value '" + value + "' at '" + member +
                 "' failed to satisfy constraint: Member must " + must);
}

ApiError unsupported(const std::string& what) {
  return {"UnsupportedOperation", what + " is not part of this simulated AWS."};
}

// "^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}"
void check_name(const std::string& name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const bool good = !name.empty() && is_plain(name.front()) && is_plain(name.back()) &&
                    std::ranges::count_if(name, is_plain) <= 63 &&
                    std::ranges::all_of(name, [&](char c) { return is_plain(c) || c == '-'; });
  if (!good)
    throw invalid_value(name, "trainingJobName",
                        "satisfy regular expression pattern: ^[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}");
}

void check_role(const std::string& arn) {
  if (!arn.starts_with("arn:aws") || arn.find(":iam::") == arn.npos ||
      arn.find(":role/") == arn.npos)
    throw invalid_value(arn, "roleArn",
                        "satisfy regular expression pattern: "
                        "^arn:aws[a-z\\-]*:iam::\\d{12}:role/?[a-zA-Z_0-9+=,.@\\-_/]+$");
}

// The credentials of a container: a session of the job's role, if IAM decides. AWS's error if
// SageMaker cannot assume the role.
std::map<std::string, std::string> credentials_of(Backend& backend, const std::string& role_arn,
                                                  sim::Duration lifetime) {
  if (!backend.iam->decides()) return {};
  if (!can_assume(backend, "sagemaker.amazonaws.com", role_arn))
    throw invalid("Could not assume role " + role_arn +
                  ". Please ensure that the role exists and allows principal "
                  "'sagemaker.amazonaws.com' to assume the role.");
  auto caller = backend.iam->caller_of_role(role_arn.substr(role_arn.rfind('/') + 1), "SageMaker");
  caller.token_issued = backend.simulation.now();
  const auto& session = backend.iam->open_session(std::move(caller), lifetime);
  return {{"AWS_ACCESS_KEY_ID", session.key_id},
          {"AWS_SECRET_ACCESS_KEY", session.secret},
          {"AWS_SESSION_TOKEN", session.token}};
}

std::string instance_type(const std::string& type) {
  if (!type.starts_with("ml."))
    throw invalid_value(type, "resourceConfig.instanceType", "satisfy enum value set");
  return type.substr(3);
}

// "[A-Za-z0-9\.\-_]+", without "." and "..", which name no folder of their own.
void check_channel(const std::string& name) {
  const auto fits = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  };
  if (name.empty() || name == "." || name == ".." || !std::ranges::all_of(name, fits))
    throw invalid_value(name, "inputDataConfig.member.channelName",
                        "satisfy regular expression pattern: [A-Za-z0-9\\.\\-_]+");
}

Channel read_channel(const api::sagemaker::Channel& asked, const std::string& job_mode) {
  const auto& source = asked.data_source.value();
  const std::string name = asked.channel_name.value();
  check_channel(name);
  if (!source.s3_data_source) throw unsupported("A channel without an S3DataSource (" + name + ")");
  const auto& from = *source.s3_data_source;
  if (from.s3_data_type != "S3Prefix") throw unsupported("The S3DataType of channel " + name);
  if (asked.compression_type.value_or("None") != "None")
    throw unsupported("The CompressionType of channel " + name);
  if (asked.record_wrapper_type.value_or("None") != "None")
    throw unsupported("The RecordWrapperType of channel " + name);
  if (asked.input_mode.value_or(job_mode) == "Pipe")
    throw unsupported("The input mode Pipe (channel " + name + ")");
  S3Folder::parse(from.s3_uri.value());
  return {.name = name,
          .uri = from.s3_uri.value(),
          .content_type = asked.content_type.value_or(""),
          .sharded = from.s3_data_distribution_type == "ShardedByS3Key"};
}

constexpr std::int64_t kLongest = 2419200;  // seconds, 28 days
constexpr std::int64_t kMostInstances = 100;

int instance_count(const api::sagemaker::ResourceConfig& resources) {
  const std::int64_t count = resources.instance_count.value_or(1);
  if (count < 1)
    throw invalid_value(std::to_string(count), "resourceConfig.instanceCount",
                        "have value greater than or equal to 1");
  if (count > kMostInstances)
    throw ApiError("ResourceLimitExceeded",
                   fmt::format("The account-level service limit '{} for training job usage' is {} "
                               "Instances, with current utilization of 0 Instances and a request "
                               "delta of {} Instances.",
                               resources.instance_type.value_or(""), kMostInstances, count));
  return static_cast<int>(count);
}

std::chrono::seconds limit_of(std::int64_t asked, const char* member) {
  if (asked > kLongest)
    throw invalid_value(std::to_string(asked), std::string("stoppingCondition.") + member,
                        fmt::format("have value less than or equal to {}", kLongest));
  return std::chrono::seconds(asked);
}

void read_limits(const op::CreateTrainingJob::Request& request, JobSpec& spec) {
  const auto& condition = request.stopping_condition.value();
  spec.max_runtime =
      limit_of(condition.max_runtime_in_seconds.value_or(86400), "maxRuntimeInSeconds");  // a day
  const auto wait = condition.max_wait_time_in_seconds;
  if (!spec.spot) {
    if (wait)
      throw invalid(
          "Invalid MaxWaitTimeInSeconds. It may be given only when "
          "EnableManagedSpotTraining is true");
    return;
  }
  if (!wait || limit_of(*wait, "maxWaitTimeInSeconds") < spec.max_runtime)
    throw invalid(
        "Invalid MaxWaitTimeInSeconds. It must be present and be greater than or equal "
        "to MaxRuntimeInSeconds");
  spec.max_wait = std::chrono::seconds(*wait);
}

void read_checkpoints(const api::sagemaker::CheckpointConfig& config, JobSpec& spec) {
  spec.checkpoints = S3Folder::parse(config.s3_uri.value());
  std::string folder = config.local_path.value_or(spec.checkpoint_folder);
  while (folder.ends_with('/')) folder.pop_back();
  if (!folder.starts_with("/opt/ml/") ||
      std::filesystem::path(folder).lexically_normal() != std::filesystem::path(folder) ||
      folder.find("//") != folder.npos)
    throw unsupported("A CheckpointConfig.LocalPath that is not below /opt/ml");
  for (const char* taken : {"/opt/ml/input", "/opt/ml/output", "/opt/ml/model", "/opt/ml/code"})
    if ((folder + "/").starts_with(taken + std::string("/")))
      throw invalid("LocalPath " + folder + " is used by SageMaker");
  spec.checkpoint_folder = folder;
}

// As `docker run IMAGE train`, unless the job has an entry point or arguments (SageMaker developer
// guide, "How Amazon SageMaker Runs Your Training Image").
void read_command(const api::sagemaker::AlgorithmSpecification& algorithm, JobSpec& spec) {
  spec.entrypoint = algorithm.container_entrypoint;
  if (!algorithm.container_entrypoint.empty() || !algorithm.container_arguments.empty())
    spec.arguments = algorithm.container_arguments;
}

}  // namespace

JobSpec spec_of(const op::CreateTrainingJob::Request& request) {
  const auto& algorithm = request.algorithm_specification.value();
  const auto& resources = request.resource_config.value();
  JobSpec spec;
  spec.name = request.training_job_name.value();
  check_name(spec.name);
  check_role(request.role_arn.value());
  if (!algorithm.training_image)
    throw invalid("One of TrainingImage or AlgorithmName must be given in AlgorithmSpecification");
  spec.image = *algorithm.training_image;
  read_command(algorithm, spec);
  spec.hyperparameters = request.hyper_parameters;
  spec.environment = request.environment;
  for (const auto& asked : request.input_data_config) {
    const Channel channel = read_channel(asked, algorithm.training_input_mode.value());
    if (std::ranges::find(spec.channels, channel.name, &Channel::name) != spec.channels.end())
      throw invalid("Channel names must be unique: " + channel.name + " is given twice");
    spec.channels.push_back(channel);
  }
  spec.output = S3Folder::parse(request.output_data_config.value().s3_output_path.value());
  spec.instance_type = instance_type(resources.instance_type.value_or(""));
  spec.instance_count = instance_count(resources);
  spec.spot = request.enable_managed_spot_training.value_or(false);
  read_limits(request, spec);
  if (request.checkpoint_config) read_checkpoints(*request.checkpoint_config, spec);
  if (request.retry_strategy)
    spec.retries = static_cast<int>(
        std::min<std::int64_t>(request.retry_strategy->maximum_retry_attempts.value(), 30));
  return spec;
}

op::CreateTrainingJob::Response create_training_job(Call& call,
                                                    const op::CreateTrainingJob::Request& request) {
  JobSpec spec = spec_of(request);
  spec.asked = request;
  // The credentials outlive the job, with all attempts.
  constexpr auto kMargin = std::chrono::hours{24 * 30};
  for (auto& [name, value] : credentials_of(call.backend, request.role_arn.value(),
                                            spec.max_wait.value_or(spec.max_runtime) + kMargin))
    spec.environment.emplace(name, std::move(value));
  const auto& job = call.backend.training.create(std::move(spec));
  for (const auto& tag : request.tags)
    call.backend.training_tags[job.arn][tag.key.value()] = tag.value.value();
  return {.training_job_arn = job.arn};
}

}  // namespace fakes::sagemaker
