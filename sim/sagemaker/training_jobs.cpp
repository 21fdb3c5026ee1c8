#include "sim/sagemaker/training_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/events/event.h"
#include "sim/kernel/check.h"
#include "sim/market/ml_prices.h"
#include "sim/sagemaker/statuses.h"
#include "sim/sagemaker/work.h"

namespace sim::sagemaker {
namespace {

using cloud::ApiError;

ApiError invalid(const std::string& message) { return {"ValidationException", message}; }

}  // namespace

TrainingJobs::TrainingJobs(Simulation& simulation, EventLog& log, cloud::Cloud& cloud,
                           objects::Store& store, logs::Store& logs)
    : simulation_(simulation), log_(log), cloud_(cloud), store_(store), logs_(logs) {}

TrainingJobs::~TrainingJobs() = default;

// ---- requests of the API

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
  if (jobs_.empty()) cloud_.observe(*this);  // after the log, which was added since
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

// ---- what its steps share

// Calls the step only if the same attempt is still current.
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
    SIM_CHECK(allowed(job.transitions.empty() ? "" : job.transitions.back().status, status));
    if (!job.transitions.empty()) job.transitions.back().end = now;
    job.transitions.push_back({status, now, {}, message});
  }
  if (job.ended()) job.transitions.back().end = now;
  job.modified = now;
  log_.append(events::SagemakerStatus{.time = now,
                                      .job = job.spec.name,
                                      .status = name(job.status),
                                      .secondary_status = status,
                                      .message = message});
  for (const auto& hear : changed_) hear(job);
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
  // The cloud is in the middle of the termination.
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

// An instance is gone, without an interruption.
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
  log_.append(events::SagemakerEnd{.time = simulation_.now(),
                                   .job = work.job.spec.name,
                                   .created = iso_nanoseconds(work.job.created),
                                   .status = name(work.job.status),
                                   .secondary_status = status,
                                   .hosts = work.job.spec.instance_count,
                                   .interruptions = work.job.interruptions,
                                   .training_seconds = seconds(*work.job.training),
                                   .billable_seconds = seconds(*work.job.billable),
                                   .model = work.job.model_uri,
                                   .failure_reason = work.job.failure_reason});
}

// Ends the attempt: releases its instances and their data.
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

double TrainingJobs::price_factor(const Job& job) const {
  if (knobs_.price_factor) return *knobs_.price_factor;
  return ml_price(cloud_.market().types().at(job.spec.instance_type), job.created).factor;
}

// The bill comes from the ledger's entries of the job's instances.
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
      cloud_.market().on_demand_price(spec.instance_type)->dollars() * price_factor(work.job);
  work.job.training = trained / spec.instance_count;
  work.job.billable = from_seconds(cost / hourly * 3600 / spec.instance_count);
}

}  // namespace sim::sagemaker
