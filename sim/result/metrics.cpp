#include "sim/result/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "sim/events/event.h"
#include "sim/result/baseline.h"
#include "sim/result/gang.h"
#include "sim/result/invariants/invariants.h"
#include "sim/result/training.h"
#include "sim/result/wasted_money.h"

namespace sim::run {
namespace {

std::string end_reason(const InstanceStory& instance) {
  for (const TrainerLine& line : instance.trainer) {
    if (line.event == TrainerEvent::kFinished) return "finished";
  }
  // Who terminates an instance that has its notice comes before EC2, and pays.
  const bool by_customer = instance.end_reason.starts_with("Client.");
  if (instance.interrupted_at && !by_customer) return "interrupted";
  return instance.billed_until() ? "terminated" : "running";
}

Duration billed(const Story& story, const std::string& instance) {
  Duration sum{};
  for (const ChargeLine& line : story.charges) {
    if (line.resource == instance && line.kind == "instances") sum += line.to - line.from;
  }
  return sum;
}

Usd cost(const Story& story, const std::string& instance) {
  Usd sum;
  for (const ChargeLine& line : story.charges) {
    if (line.resource == instance) sum += line.cost;
  }
  return sum;
}

Attempt attempt(const Story& story, std::size_t place, const InstanceTime& time) {
  const InstanceStory& instance = story.instances[place];
  return {.number = place + 1,
          .instance_id = instance.id,
          .instance_type = instance.type,
          .availability_zone = instance.zone,
          .lifecycle = instance.lifecycle,
          .launched_at = instance.launched_at,
          .running_at = instance.running_at,
          .first_step_at = time.first_step_at,
          .notice_at = instance.notice_at,
          .ended_at = instance.billed_until(),
          .end_reason = end_reason(instance),
          .steps_done = time.steps_done,
          .steps_kept = time.steps_kept,
          .billed = billed(story, instance.id),
          .cost = cost(story, instance.id)};
}

void add(TimeLedger& sum, const TimeLedger& t) {
  sum.boot += t.boot, sum.migrate += t.migrate, sum.restore += t.restore;
  sum.train_kept += t.train_kept, sum.train_lost += t.train_lost;
  sum.checkpoint += t.checkpoint, sum.notice_idle += t.notice_idle, sum.idle += t.idle,
      sum.teardown += t.teardown;
}

// Time between the first attempt's launch and the last one's end in which none was running.
Duration waiting(const Story& story) {
  std::vector<const InstanceStory*> attempts;
  for (const InstanceStory& instance : story.instances) {
    if (instance.attempt()) attempts.push_back(&instance);
  }
  if (attempts.empty()) return {};
  Duration sum{};
  Time covered = attempts.front()->launched_at;
  std::stable_sort(attempts.begin(), attempts.end(), [](const auto* a, const auto* b) {
    return a->running_at.value_or(Time::max()) < b->running_at.value_or(Time::max());
  });
  for (const InstanceStory* instance : attempts) {
    if (!instance->running_at) continue;
    sum += std::max(Duration{}, *instance->running_at - covered);
    covered = std::max(covered, instance->billed_until().value_or(story.end));
  }
  // An unfinished job waits until the run ends.
  if (story.outcome != "completed") sum += std::max(Duration{}, story.end - covered);
  return sum;
}

MoneyLedger money(const Story& story) {
  MoneyLedger ledger;
  const std::map<std::string, Usd MoneyLedger::*> columns{
      {"instances", &MoneyLedger::instances}, {"volumes", &MoneyLedger::volumes},
      {"snapshots", &MoneyLedger::snapshots}, {"objects", &MoneyLedger::objects},
      {"logs", &MoneyLedger::logs},           {"requests", &MoneyLedger::requests},
      {"transfer", &MoneyLedger::transfer},
  };
  for (const ChargeLine& line : story.charges) {
    const auto column = columns.find(line.kind);
    if (column == columns.end()) {
      throw std::runtime_error("a charge of the unknown kind \"" + line.kind + "\"");
    }
    ledger.*column->second += line.cost;
    ledger.total += line.cost;
  }
  return ledger;
}

Leftovers leftovers(const Story& story) {
  Leftovers left;
  for (const InstanceStory& i : story.instances) left.running_instances += !i.terminated_at;
  for (const auto& [id, state] : story.fleets) {
    left.active_fleets += state == "submitted" || state == "active" || state == "modifying";
  }
  for (const auto& [id, state] : story.snapshots) left.snapshots += state != "deleted";
  for (const auto& [id, state] : story.volumes) {
    const auto name = story.names.find(id);
    const bool live = state != "deleting" && state != "deleted";
    left.tagged_volumes +=
        live && name != story.names.end() && name->second == story.header.job_volume_tag;
  }
  return left;
}

void progress(const Story& story, Result& result) {
  std::optional<Time> finished;
  for (const InstanceStory& instance : story.instances) {
    for (const TrainerLine& line : instance.trainer) {
      result.steps_total = std::max(result.steps_total, line.total_steps);
      if (line.event != TrainerEvent::kFinished) continue;
      result.steps_total = std::max(result.steps_total, line.step);
      finished = std::max(finished.value_or(line.at), line.at);
    }
  }
  if (const auto deadline = story.header.deadline) {
    const Time done = finished.value_or(story.outcome == "completed" ? story.end : Time::max());
    const Time end = story.header.start + *deadline;
    result.deadline_met = done <= end;
    if (done != Time::max()) result.lateness = std::max(done - end, Duration{});
  }
}

void attempts(const Story& story, const std::vector<InstanceTime>& times, Result& result) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const InstanceStory& instance = story.instances[i];
    result.time.billed += billed(story, instance.id);
    if (!instance.attempt()) {
      result.time.prepare += times[i].columns.sum();
      continue;
    }
    add(result.time, times[i].columns);
    result.attempts.push_back(attempt(story, i, times[i]));
    const Attempt& a = result.attempts.back();
    result.lost_steps += a.steps_done - a.steps_kept;
    if (!is_restart(story, i) || follows_in_gang(story, i)) continue;
    const Time ready = a.first_step_at.value_or(a.ended_at.value_or(story.end));
    result.restart_overhead += ready - a.launched_at;
  }
}

}  // namespace

Result compute(const Story& story) {
  const std::vector<Session> list = sessions(story);
  std::vector<InstanceTime> times;
  for (std::size_t i = 0; i < story.instances.size(); ++i) {
    times.push_back(time_of(story, i, list));
  }

  Result result;
  result.scenario = story.header.scenario;
  result.seed = story.header.seed;
  result.guest = story.header.guest;
  result.level = story.header.level;
  result.lockstep = story.header.lockstep;
  result.assumptions = story.header.assumptions;
  result.outcome = story.outcome;
  result.cause = story.cause;
  result.evidence = story.evidence;
  result.training_jobs = story.training_jobs;
  result.start = story.header.start;
  result.makespan = story.end - story.header.start;
  attempts(story, times, result);
  result.time.waiting = waiting(story);
  result.money = money(story);
  result.wasted = wasted_money(story, times);
  result.lost_time = result.time.train_lost;
  result.checkpoint_overhead = result.time.checkpoint;
  progress(story, result);
  result.at_end = leftovers(story);
  const BaselineCost same_job = baseline_cost(story, result, times);
  result.baseline_cost = same_job.known;
  result.baseline_without_checkpoints = same_job.without_checkpoints;
  result.savings_unknown = same_job.unknown;
  if (same_job.savings) {
    result.savings = same_job.savings;
  } else if (result.baseline_cost && result.baseline_cost->nano > 0) {
    result.savings = 1 - result.money.total.dollars() / result.baseline_cost->dollars();
  } else if (result.baseline_cost) {
    result.savings_unknown = "the baseline costs nothing";
  }
  return result;
}

}  // namespace sim::run
