#include "sim/sagemaker/training_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "sim/kernel/event.h"
#include "sim/sagemaker/workspace.h"

namespace sim::sagemaker {
namespace {

using cloud::ApiError;

constexpr const char* kService = "sagemaker";
constexpr const char* kLogGroup = "/aws/sagemaker/TrainingJobs";

ApiError invalid(const std::string& message) { return {"ValidationException", message}; }

}  // namespace

struct TrainingJobs::Host {
  int number = 1;
  cloud::InstanceId instance;
  bool running = false;
  cloud::ContainerFolder folder = {};
  std::unique_ptr<Workspace> workspace = {};
  std::unique_ptr<CheckpointSync> checkpoints = {};
  bool container = false;  // runs
  int status = 0;          // of the container that has ended
};

// A job and what is done for it now.
struct TrainingJobs::Work {
  Job job;
  std::vector<std::unique_ptr<Host>> hosts = {};  // of this attempt
  std::vector<cloud::InstanceId> instances = {};  // of all
  int attempt = 0;
  int retries = 0;
  std::map<int, std::vector<Download>> downloads = {};  // by host
  // How it ends, once its containers have; empty: it goes on.
  struct End {
    JobStatus status;
    std::string secondary, message;
  };
  std::optional<End> ending = {};
  Duration trained{};  // in attempts before this one
  std::optional<Time> training_since = {};
  std::optional<EventId> runtime_limit = {}, wait_limit = {};
};

TrainingJobs::TrainingJobs(Simulation& simulation, EventLog& log, cloud::Cloud& cloud,
                           objects::Store& store, logs::Store& logs)
    : simulation_(simulation), log_(log), cloud_(cloud), store_(store), logs_(logs) {}

TrainingJobs::~TrainingJobs() = default;

// ---- what the API asks

const Job& TrainingJobs::create(JobSpec spec) {
  const auto& config = cloud_.config();
  const std::string arn = fmt::format("arn:aws:sagemaker:{}:{}:training-job/{}", config.region,
                                      config.account_id, spec.name);
  if (jobs_.contains(spec.name))
    throw ApiError("ResourceInUse",
                   "Training job names must be unique within an AWS account and region, and a "
                   "training job with this name already exists (" +
                       arn + ")");
  if (!cloud_.market().on_demand_price(spec.instance_type))
    throw invalid("Value 'ml." + spec.instance_type +
                  "' at 'resourceConfig.instanceType' failed to satisfy constraint: Member must "
                  "satisfy enum value set");
  if (jobs_.empty()) cloud_.observe(*this);  // behind the log, which has come since
  auto& work = jobs_[spec.name] = std::make_unique<Work>();
  Job& job = work->job;
  job.spec = std::move(spec);
  job.arn = arn;
  job.created = simulation_.now();
  order_.push_back(&job);
  change(*work, "Starting", "Starting the training job");
  Work* const it = work.get();
  if (job.spec.max_wait)
    it->wait_limit = simulation_.after(*job.spec.max_wait, [this, it] {
      limit(*it, "MaxWaitTimeExceeded",
            "Training job waited and ran longer than MaxWaitTimeInSeconds");
    });
  later(*it, config.durations.spot_evaluation.low, &TrainingJobs::launch);
  return job;
}

void TrainingJobs::stop(const std::string& name) {
  const Job& found = job(name);
  if (found.ended() || found.status == JobStatus::kStopping)
    throw invalid(fmt::format("The request was rejected because the training job is in status {}.",
                              sagemaker::name(found.status)));
  limit(*jobs_.at(name), "Stopped", "Training job stopped");
}

const Job& TrainingJobs::job(const std::string& name) const {
  const auto found = jobs_.find(name);
  if (found == jobs_.end()) throw invalid("Requested resource not found.");
  return found->second->job;
}

std::vector<const Job*> TrainingJobs::jobs() const { return order_; }

bool TrainingJobs::any_active() const {
  return std::ranges::any_of(order_, [](const Job* job) { return !job->ended(); });
}

// ---- an attempt, in its order

// Of this attempt: where another has begun meanwhile, nothing happens.
void TrainingJobs::later(Work& work, Duration d, void (TrainingJobs::*step)(Work&)) {
  simulation_.after(d, [this, &work, step, attempt = work.attempt] {
    if (work.attempt == attempt && !work.job.ended()) (this->*step)(work);
  });
}

void TrainingJobs::change(Work& work, const std::string& status, const std::string& message) {
  Job& job = work.job;
  const Time now = simulation_.now();
  if (!job.transitions.empty() && job.transitions.back().status == status) {
    job.transitions.back().message = message;
  } else {
    if (!job.transitions.empty()) job.transitions.back().end = now;
    job.transitions.push_back({status, now, {}, message});
  }
  if (job.ended()) job.transitions.back().end = now;
  job.modified = now;
  log_.append(now, "sagemaker.status",
              {{"job", job.spec.name},
               {"status", std::string(name(job.status))},
               {"secondary_status", status},
               {"message", message}});
}

void TrainingJobs::launch(Work& work) {
  const JobSpec& spec = work.job.spec;
  cloud::LaunchSpec wanted;
  wanted.image_id = spec.image;
  wanted.instance_type = spec.instance_type;
  wanted.managed_by = kService;
  wanted.price_factor = knobs_.price_factor;
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
  later(*work, {}, &TrainingJobs::download);  // when all have heard of the boot
}

void TrainingJobs::download(Work& work) {
  const JobSpec& spec = work.job.spec;
  change(work, "Downloading", "Downloading input data");
  std::uint64_t most = 0;
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
    for (std::size_t i = 0; i < downloads.size(); ++i) store_.count_read();
    most = std::max(most, bytes_of(downloads));
  }
  later(work,
        from_seconds(static_cast<double>(most) / static_cast<double>(knobs_.bytes_per_second)),
        &TrainingJobs::pull_image);
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
  cloud::Container container{.command = spec.command,
                             .environment = spec.environment,
                             .hostname = host_name(host.number),
                             .hosts = {},
                             .folder = host.folder,
                             .mounted_at = kWorkspace};
  auto& variables = container.environment;
  variables.emplace("TRAINING_JOB_NAME", spec.name);
  variables.emplace("TRAINING_JOB_ARN", work.job.arn);
  variables.emplace("AWS_REGION", cloud_.config().region);
  for (const auto& other : work.hosts)
    container.hosts[host_name(other->number)] = cloud_.instance(other->instance).private_ip;
  if (spec.checkpoints) {
    const auto local = std::filesystem::path(spec.checkpoint_folder).lexically_relative(kWorkspace);
    host.checkpoints = std::make_unique<CheckpointSync>(
        simulation_, log_, store_,
        CheckpointSync::Knobs{knobs_.checkpoint_sync, knobs_.bytes_per_second},
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
  log_.append(simulation_.now(), "sagemaker.exit",
              {{"job", work.job.spec.name},
               {"instance_id", host.instance.value},
               {"host", host_name(host.number)},
               {"status", status}});
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

// Whatever ran; where nothing does, the job ends.
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
    // The model is that of the first host; the output of each is in a folder of its own.
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
    log_.append(
        simulation_.now(), "sagemaker.model",
        {{"job", work.job.spec.name}, {"uri", work.job.model_uri}, {"bytes", bytes->size()}});
  }
  return from_seconds(static_cast<double>(bytes->size()) /
                      static_cast<double>(knobs_.bytes_per_second));
}

// ---- what comes in between

TrainingJobs::Work* TrainingJobs::work_of(const cloud::Instance& instance) {
  const auto found = of_instance_.find(instance.id);
  return found == of_instance_.end() ? nullptr : found->second;
}

void TrainingJobs::instance_state(const cloud::Instance& instance,
                                  std::optional<cloud::InstanceState>) {
  if (instance.state != cloud::InstanceState::kShuttingDown) return;
  Work* const work = work_of(instance);
  if (!work) return;
  of_instance_.erase(instance.id);
  if (work->job.ended()) return;
  // The cloud is in the middle of it.
  const bool by_spot = instance.state_reason_code == "Server.SpotInstanceTermination";
  later(*work, {}, by_spot ? &TrainingJobs::interrupted : &TrainingJobs::lost);
}

void TrainingJobs::interrupted(Work& work) {
  ++work.job.interruptions;
  let_go(work);
  if (work.ending) return end(work);
  change(work, "Interrupted", "The managed spot training instances were interrupted");
  launch(work);
}

// An instance is gone, and it was no interruption.
void TrainingJobs::lost(Work& work) {
  let_go(work);
  if (work.ending) return end(work);
  if (work.retries == work.job.spec.retries)
    return fail(work, "InternalServerError: We encountered an internal error. Please try again.");
  ++work.retries;
  change(work, "Restarting", "Restarting the training job after an InternalServerError");
  launch(work);
}

// Stopped by a call or by a limit: what runs has time to save its model.
void TrainingJobs::limit(Work& work, const std::string& status, const std::string& message) {
  if (work.job.ended() || work.ending) return;
  work.ending = {JobStatus::kStopped, status, message};
  work.job.status = JobStatus::kStopping;
  const bool runs = std::ranges::any_of(work.hosts, [](const auto& of) { return of->container; });
  if (!runs) return end(work);
  change(work, "Stopping", "Stopping the training job");
  stop_containers(work);
}

void TrainingJobs::fail(Work& work, const std::string& reason) {
  work.job.failure_reason = reason;
  work.ending = {JobStatus::kFailed, "Failed", "Training job failed"};
  end(work);
}

void TrainingJobs::end(Work& work) {
  let_go(work);
  work.job.training_end = simulation_.now();
  work.job.status = work.ending->status;
  for (const auto& limit : {work.runtime_limit, work.wait_limit})
    if (limit) simulation_.cancel(*limit);
  bill(work);
  const std::string status = work.ending->secondary, message = work.ending->message;
  change(work, status, message);
  log_.append(simulation_.now(), "sagemaker.end",
              {{"job", work.job.spec.name},
               {"created", iso_nanoseconds(work.job.created)},
               {"status", std::string(name(work.job.status))},
               {"secondary_status", status},
               {"hosts", work.job.spec.instance_count},
               {"interruptions", work.job.interruptions},
               {"training_seconds", seconds(*work.job.training)},
               {"billable_seconds", seconds(*work.job.billable)},
               {"model", work.job.model_uri},
               {"failure_reason", work.job.failure_reason}});
}

// The attempt is over: its instances go, and what they had.
void TrainingJobs::let_go(Work& work) {
  if (work.runtime_limit) simulation_.cancel(*std::exchange(work.runtime_limit, {}));
  ++work.attempt;
  std::vector<cloud::InstanceId> ids;
  for (const auto& host : work.hosts) {
    const cloud::Instance& instance = cloud_.instance(host->instance);
    of_instance_.erase(host->instance);
    if (!instance.shutting_down_at) ids.push_back(host->instance);
  }
  if (work.training_since)
    work.trained += simulation_.now() - *std::exchange(work.training_since, {});
  work.hosts.clear();
  work.downloads.clear();
  cloud_.release_managed(ids);
}

// Of what the ledger has of its instances.
void TrainingJobs::bill(Work& work) const {
  const JobSpec& spec = work.job.spec;
  Duration trained{};
  double cost = 0;
  for (const auto& item : cloud_.ledger().items()) {
    if (item.kind != cloud::ChargeKind::kInstances ||
        std::ranges::find(work.instances, cloud::InstanceId{item.resource}) == work.instances.end())
      continue;
    trained += item.to - item.from;
    cost += item.cost.dollars();
  }
  const double hourly =
      cloud_.market().on_demand_price(spec.instance_type)->dollars() * knobs_.price_factor;
  work.job.training = trained / spec.instance_count;
  work.job.billable = from_seconds(cost / hourly * 3600 / spec.instance_count);
}

}  // namespace sim::sagemaker
