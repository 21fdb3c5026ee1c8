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

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

void cancel(const Context& context, const std::string& fleet_id) {
  try {
    patiently(context, [&] { context.ec2.cancel_spot_fleet(fleet_id); });
  } catch (const aws::ApiError& error) {
    // By the job's end, or by hand.
    if (error.code() != "fleetRequestNotInCancellableState") throw;
  }
}

// Empty: EC2 has no such instance now, or does not answer.
std::string try_on_demand(const Context& context, const aws::NewInstance& instance) {
  try {
    return context.ec2.run_instance(instance);
  } catch (const aws::ApiError& error) {
    if (!error.transient() && !aws::is_out_of_capacity(error)) throw;
    context.log.say(error.what());
    return "";
  }
}

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
  for (context.clock.look();;) {
    try {
      if (const auto code = job_status(context, job)) return *code;
      const auto instances = context.ec2.fleet_instances(fleet_id);
      if (fallback.look(context.clock.now(), instances)) break;
      if (!instances.empty()) {  // no rule counts the time with one
        context.clock.sleep_between_looks(Fallback::kTick, Time::max());
        continue;
      }
    } catch (const aws::ApiError& error) {
      if (!error.transient()) throw;
      context.log.say(error.what());
    }
    context.clock.sleep(Fallback::kTick);
    context.clock.look();
  }
  context.log.say("spot does not do: on demand from now on");
  cancel(context, fleet_id);
  for (;; context.clock.sleep(Fallback::kTick)) {
    if (const auto code = patiently(context, [&] { return job_status(context, job); }))
      return *code;
    const auto volume = patiently(context, [&] { return find_job_volume(context, job); });
    const std::string id =
        try_on_demand(context, on_demand_instance(fleet, job, volume.availability_zone));
    if (id.empty()) continue;
    context.log.say("on-demand instance " + id);
    return wait_for_job(context, job);
  }
}

}  // namespace spotrun
