// An attempt at a training job, in its order: instances, data, the image, containers, what they
// made.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <utility>

#include "sim/events/event.h"
#include "sim/sagemaker/transfer.h"
#include "sim/sagemaker/work.h"

namespace sim::sagemaker {
namespace {

using cloud::ApiError;

constexpr const char* kService = "sagemaker";
constexpr const char* kLogGroup = "/aws/sagemaker/TrainingJobs";

}  // namespace

void TrainingJobs::launch(Work& work) {
  const JobSpec& spec = work.job.spec;
  cloud::LaunchSpec wanted;
  wanted.image_id = spec.image;
  wanted.instance_type = spec.instance_type;
  wanted.managed_by = kService;
  wanted.price_factor = price_factor(work.job);
  std::vector<cloud::InstanceId> ids;
  try {
    ids = spec.spot ? cloud_.run_spot_instances(wanted, spec.instance_count, spec.instance_count)
                    : cloud_.run_instances(wanted, spec.instance_count);
  } catch (const ApiError& error) {
    if (error.code() != "InsufficientInstanceCapacity" && error.code() != "SpotMaxPriceTooLow")
      return fail(work, std::string("InternalServerError: ") + error.what());
    constexpr const char* kNone =
        "Insufficient capacity error from EC2 while launching instances, retrying!";
    if (work.job.transitions.back().message != kNone) change(work, "Starting", kNone);
    return later(work, cloud_.config().durations.capacity_retry, &TrainingJobs::launch);
  }
  for (const auto& id : ids) {
    auto host = std::make_unique<Host>();
    host->number = static_cast<int>(work.hosts.size()) + 1;
    host->instance = id;
    work.hosts.push_back(std::move(host));
    work.instances.push_back(id);
    of_instance_[id] = &work;
  }
  change(work, "Starting", "Preparing the instances for training");
}

void TrainingJobs::booted(const cloud::Instance& instance) {
  Work* const work = work_of(instance);
  if (!work) return;
  for (auto& host : work->hosts)
    if (host->instance == instance.id) host->running = true;
  if (!std::ranges::all_of(work->hosts, [](const auto& host) { return host->running; })) return;
  if (!work->job.training_start) work->job.training_start = simulation_.now();
  later(*work, {}, &TrainingJobs::download);  // after all observers of the boot have run
}

void TrainingJobs::download(Work& work) {
  const JobSpec& spec = work.job.spec;
  change(work, "Downloading", "Downloading input data");
  Duration longest{};
  for (const auto& host : work.hosts) {
    auto& downloads = work.downloads[host->number];
    downloads.clear();
    try {
      for (const Channel& channel : spec.channels) {
        const auto found = downloads_of(channel, host->number, spec, store_);
        // Of fewer objects than hosts some hosts have none.
        if (found.empty() && (!channel.sharded || host->number == 1))
          return fail(work,
                      "ClientError: Data download failed:No S3 objects found under S3 URL \"" +
                          channel.uri + "\" given in input data source.");
        downloads.insert(downloads.end(), found.begin(), found.end());
      }
      if (spec.checkpoints) {
        const auto found = downloads_of(
            *spec.checkpoints,
            std::filesystem::path(spec.checkpoint_folder).lexically_relative(kWorkspace), store_);
        downloads.insert(downloads.end(), found.begin(), found.end());
      }
    } catch (const ApiError& error) {
      return fail(work, fmt::format("ClientError: Data download failed:{} ({}): {}", error.code(),
                                    error.http_status(), error.what()));
    }
    for (const Download& download : downloads) store_.count_read(download.bucket);
    longest = std::max(longest, time_for(sizes_of(downloads), knobs_.transfer));
  }
  later(work, longest, &TrainingJobs::pull_image);
}

void TrainingJobs::pull_image(Work& work) {
  change(work, "Training", "Downloading the training image");
  later(work, knobs_.image_download, &TrainingJobs::train);
}

void TrainingJobs::train(Work& work) {
  change(work, "Training", "Training image download completed. Training in progress.");
  work.training_since = simulation_.now();
  const Duration left = work.job.spec.max_runtime - work.trained;
  work.runtime_limit = simulation_.after(std::max(left, Duration{}), [this, &work] {
    limit(work, "MaxRuntimeExceeded", "Training job ran longer than MaxRuntimeInSeconds");
  });
  try {
    for (auto& host : work.hosts) {
      host->folder = cloud_.container_folder(host->instance);
      host->workspace = workspace_in(host->folder, store_.bytes_file());
      if (!host->workspace)
        return fail(work, "InternalServerError: guests of this kind can run no containers");
      if (!start_container(work, *host))
        return fail(work, "ClientError: Please ensure that the training image " +
                              work.job.spec.image +
                              " exists: the scenario's guest.images has none of this name");
    }
  } catch (const std::exception& error) {
    fail(work, std::string("InternalServerError: ") + error.what());
  }
}

// False: there is no such image.
bool TrainingJobs::start_container(Work& work, Host& host) {
  const JobSpec& spec = work.job.spec;
  host.workspace->lay_out(spec, host.number, work.downloads.at(host.number));
  cloud::Container container{.entrypoint = spec.entrypoint,
                             .arguments = spec.arguments,
                             .environment = spec.environment,
                             .hostname = host_name(host.number),
                             .hosts = {},
                             .folder = host.folder,
                             .mounted_at = kWorkspace,
                             .mounts = mounts_of(spec)};
  auto& variables = container.environment;
  variables.emplace("TRAINING_JOB_NAME", spec.name);
  variables.emplace("TRAINING_JOB_ARN", work.job.arn);
  variables.emplace("AWS_REGION", cloud_.config().region);
  for (const auto& other : work.hosts)
    container.hosts[host_name(other->number)] = cloud_.instance(other->instance).private_ip;
  if (spec.checkpoints) {
    const auto local = std::filesystem::path(spec.checkpoint_folder).lexically_relative(kWorkspace);
    host.checkpoints = std::make_unique<CheckpointSync>(
        simulation_, log_, store_, CheckpointSync::Knobs{knobs_.checkpoint_sync, knobs_.transfer},
        host.workspace->checkpoints(local), *spec.checkpoints, host.instance.value);
    host.checkpoints->start();
  }
  const auto began = std::chrono::floor<std::chrono::seconds>(simulation_.now().time_since_epoch());
  const std::string stream =
      fmt::format("{}/{}-{}", spec.name, host_name(host.number), began.count());
  host.container = cloud_.run_container(
      host.instance, container,
      {.said =
           [this, stream](std::string_view line) {
             logs_.append(kLogGroup, stream, logs::milliseconds(simulation_.now()), line);
           },
       .exited = [this, &work, &host](int status) { exited(work, host, status); }});
  return host.container;
}

void TrainingJobs::exited(Work& work, Host& host, int status) {
  host.container = false;
  host.status = status;
  log_.append(events::SagemakerExit{.time = simulation_.now(),
                                    .job = work.job.spec.name,
                                    .instance_id = host.instance.value,
                                    .host = host_name(host.number),
                                    .status = status});
  if (status != 0 && !work.ending) {
    const std::string said = host.workspace->failure_said();
    work.job.failure_reason = said.empty()
                                  ? fmt::format("AlgorithmError: , exit code: {}", status)
                                  : fmt::format("AlgorithmError: {}, exit code: {}", said, status);
    work.ending = {JobStatus::kFailed, "Failed", "Training job failed"};
    stop_containers(work);
  }
  if (std::ranges::any_of(work.hosts, [](const auto& of) { return of->container; })) return;
  if (!work.ending) work.ending = {JobStatus::kCompleted, "Completed", "Training job completed"};
  upload(work);
}

// Stops all containers; if none runs, the job ends.
void TrainingJobs::stop_containers(Work& work) {
  for (const auto& host : work.hosts)
    if (host->container) cloud_.stop_container(host->instance, knobs_.stop_grace);
}

void TrainingJobs::upload(Work& work) {
  if (work.runtime_limit) simulation_.cancel(*work.runtime_limit);
  const bool failed = work.ending->status == JobStatus::kFailed;
  change(work, "Uploading",
         failed ? "Uploading output data" : "Uploading generated training model");
  Duration longest{};
  try {
    for (auto& host : work.hosts)
      if (host->checkpoints) longest = std::max(longest, host->checkpoints->finish());
    // The model comes from the first host; each host's output is in its own folder.
    if (!failed) longest += upload_folder(work, *work.hosts[0], "model", "model.tar.gz");
    for (const auto& host : work.hosts)
      longest += upload_folder(
          work, *host, "output/data",
          (host->number == 1 ? "" : host_name(host->number) + "/") + std::string("output.tar.gz"));
  } catch (const std::exception& error) {
    return fail(work, std::string("ClientError: Artifact upload failed:") + error.what());
  }
  later(work, longest, &TrainingJobs::end);
}

Duration TrainingJobs::upload_folder(Work& work, Host& host, const std::string& folder,
                                     const std::string& name) {
  const auto bytes = host.workspace->packed(folder, simulation_.now());
  if (!bytes) return {};
  const S3Folder& output = work.job.spec.output;
  const std::string file = work.job.spec.name + "/output/" + name;
  put_file(store_, output, file, objects::Body(bytes));
  if (name == "model.tar.gz") {
    work.job.model_uri = output.uri(file);
    log_.append(events::SagemakerModel{.time = simulation_.now(),
                                       .job = work.job.spec.name,
                                       .uri = work.job.model_uri,
                                       .bytes = static_cast<std::int64_t>(bytes->size())});
  }
  return time_for({bytes->size()}, knobs_.transfer);
}

}  // namespace sim::sagemaker
