#include "orchestrator/acquire/fallback.h"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/acquire/submit.h"
#include "orchestrator/job/fleet_file.h"
#include "orchestrator/job/volume_search.h"
#include "orchestrator/waiting.h"

namespace spotrun {
namespace {

using policies::Rental;

// All Describe actions of EC2 show a new resource within minutes ("Eventual consistency in the
// Amazon EC2 API"). After this time an instance that EC2 does not show has ended.
constexpr Duration kLongestUnseen{5 * 60'000};

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

void cancel(const Context& context, const std::string& fleet_id) {
  try {
    patiently(context, [&] { context.ec2.cancel_spot_fleet(fleet_id); });
  } catch (const aws::ApiError& error) {
    // The fleet was cancelled at the end of the job, or by hand.
    if (error.code() != "fleetRequestNotInCancellableState") throw;
  }
}

// Runs one on-demand instance at a time in the volume's zone, until the job is over.
class OnDemand {
 public:
  OnDemand(const Context& context, const Job& job, const nlohmann::json& fleet,
           const std::string& fleet_id)
      : context_(context), job_(job), fleet_(fleet), fleet_id_(fleet_id) {}

  ExitCode run() {
    for (context_.clock.look();;) {
      try {
        if (const auto code = job_status(context_, job_)) return *code;
        if (id_.empty()) {
          launch();
        } else if (!has_ended()) {
          context_.clock.sleep_between_looks(Fallback::kTick, Time::max());
          continue;
        }  // the job may be over, which the next poll shows
      } catch (const aws::ApiError& error) {
        if (!error.transient() && !aws::is_out_of_capacity(error)) throw;
        context_.log.say(error.what());
      }
      context_.clock.sleep(Fallback::kTick);
      context_.clock.look();
    }
  }

 private:
  // An instance that EC2 does not show has ended, unless it was launched minutes ago. EC2 stops an
  // instance that it retires; such an instance holds the volume until it is terminated.
  bool has_ended() {
    const auto found = context_.ec2.find_instance(id_);
    if (found && found->is_stopped()) context_.ec2.terminate_instance(id_);
    if (found ? found->state == "pending" || found->state == "running"
              : context_.clock.now() - launched_ < kLongestUnseen)
      return false;
    context_.log.say(id_ + " is gone");
    id_.clear();
    return true;
  }

  void launch() {
    const aws::Volume volume = find_job_volume(context_, job_);
    aws::NewInstance instance = on_demand_instance(fleet_, job_, volume.availability_zone);
    // All attempts use the same token, until an instance exists.
    instance.client_token = fmt::format("{}-{}", fleet_id_, launches_);
    id_ = context_.ec2.run_instance(instance);
    launched_ = context_.clock.now();
    ++launches_;
    context_.log.say("on-demand instance " + id_);
  }

  const Context& context_;
  const Job& job_;
  const nlohmann::json& fleet_;
  const std::string& fleet_id_;
  std::string id_;  // empty: no instance
  Time launched_{};
  int launches_ = 0;
};

}  // namespace

Fallback::Fallback(const std::string& after_failures, const std::string& after_waiting) {
  add("--on-demand-after-failures", "fallback-failures", after_failures);
  add("--on-demand-after-waiting", "fallback-waiting", after_waiting);
}

void Fallback::add(const std::string& option, const std::string& kind,
                   const std::string& argument) {
  if (argument.empty()) return;
  for (const policies::AcquisitionPolicyKind& row : policies::acquisition_policy_kinds()) {
    if (row.name != kind) continue;
    try {
      rules_.push_back(row.make(argument));
    } catch (const std::invalid_argument& error) {
      throw Failure(ExitCode::kBadInput,
                    fmt::format("{}: found \"{}\", {}", option, argument, error.what()));
    }
    rules_.back()->begin({.work = {}, .deadline = {}, .changeover = {}, .tick = kTick});
  }
}

bool Fallback::tick(Rental now, bool spot) {
  const policies::AcquisitionState state{.tick = ticks_++, .now = now, .spot = spot};
  bool on_demand = false;
  for (const auto& rule : rules_) on_demand |= rule->decide(state) == Rental::kOnDemand;
  return on_demand;
}

bool Fallback::look(Time now, const std::vector<std::string>& instances) {
  if (ticks_ == 0) begin_ = now;
  const std::int64_t due = (now - begin_) / kTick + 1;
  if (ticks_ >= due) return false;
  bool on_demand = false;
  while (ticks_ + 1 < due)
    on_demand |= tick(seen_.empty() ? Rental::kIdle : Rental::kSpot, !seen_.empty());
  const bool lost = std::any_of(seen_.begin(), seen_.end(),
                                [&](const std::string& id) { return !contains(instances, id); });
  on_demand |= tick(instances.empty() || lost ? Rental::kIdle : Rental::kSpot, !instances.empty());
  seen_ = instances;
  return on_demand;
}

ExitCode watch_fleet(const Context& context, const Job& job, const nlohmann::json& fleet,
                     const std::string& fleet_id, Fallback fallback) {
  const Time began = context.clock.now();
  for (context.clock.look();;) {
    try {
      if (const auto code = job_status(context, job)) return *code;
      const auto instances = context.ec2.fleet_instances(fleet_id);
      if (fallback.look(context.clock.now(), instances)) break;
      if (!instances.empty()) {  // no rule counts time with an instance
        context.clock.sleep_between_looks(Fallback::kTick, Time::max());
        continue;
      }
    } catch (const aws::ApiError& error) {
      const bool not_seen_yet = error.code() == "InvalidSpotFleetRequestId.NotFound" &&
                                context.clock.now() - began < kLongestUnseen;
      if (!error.transient() && !not_seen_yet) throw;
      context.log.say(error.what());
    }
    context.clock.sleep(Fallback::kTick);
    context.clock.look();
  }
  context.log.say("spot is not enough: on demand from now on");
  cancel(context, fleet_id);
  return OnDemand(context, job, fleet, fleet_id).run();
}

}  // namespace spotrun
