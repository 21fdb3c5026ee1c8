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

namespace sim::result {
namespace {

std::string end_reason(const History::Instance& instance) {
  for (const TrainerLine& line : instance.trainer) {
    if (line.event == TrainerEvent::kFinished) return "finished";
  }
  // A customer who terminates an instance after its notice acts before EC2, and pays for the hour.
  const bool by_customer = instance.end_reason.starts_with("Client.");
  if (instance.interrupted_at && !by_customer) return "interrupted";
  if (instance.state == "stopping" || instance.state == "stopped") return "stopped";
  return instance.billed_until() ? "terminated" : "running";
}

Duration billed(const History& history, const std::string& instance) {
  Duration sum{};
  for (const ChargeLine& line : history.charges) {
    if (line.resource == instance && line.kind == "instances") sum += line.to - line.from;
  }
  return sum;
}

Usd cost(const History& history, const std::string& instance) {
  Usd sum;
  for (const ChargeLine& line : history.charges) {
    if (line.resource == instance) sum += line.cost;
  }
  return sum;
}

Attempt attempt(const History& history, std::size_t place, const InstanceTime& time) {
  const History::Instance& instance = history.instances[place];
  return {.number = place + 1,
          .instance_id = instance.id,
          .instance_type = instance.type,
          .availability_zone = instance.zone,
          .lifecycle = instance.lifecycle,
          .launched_at = instance.launched_at,
          .running_at = instance.running_at,
          .first_step_at = time.first_step_at,
          .notice_at = instance.first_notice_at(),
          .ended_at = instance.billed_until(),
          .end_reason = end_reason(instance),
          .steps_done = time.steps_done,
          .steps_kept = time.steps_kept,
          .billed = billed(history, instance.id),
          .cost = cost(history, instance.id)};
}

void add(TimeLedger& sum, const TimeLedger& t) {
  sum.boot += t.boot, sum.migrate += t.migrate, sum.restore += t.restore;
  sum.train_kept += t.train_kept, sum.train_lost += t.train_lost;
  sum.checkpoint += t.checkpoint, sum.notice_idle += t.notice_idle, sum.idle += t.idle,
      sum.teardown += t.teardown;
}

// Time between the first attempt's launch and the last one's end in which none was running.
Duration waiting(const History& history) {
  std::vector<std::pair<Time, Time>> stays;
  std::optional<Time> launched;
  for (const History::Instance& instance : history.instances) {
    if (!instance.attempt()) continue;
    if (!launched) launched = instance.launched_at;
    for (const auto& stay : instance.stays(history.end)) stays.push_back(stay);
  }
  if (!launched) return {};
  std::ranges::sort(stays);
  Duration sum{};
  Time covered = *launched;
  for (const auto& [from, to] : stays) {
    sum += std::max(Duration{}, from - covered);
    covered = std::max(covered, to);
  }
  // An unfinished job waits until the run ends.
  if (history.outcome != "completed") sum += std::max(Duration{}, history.end - covered);
  return sum;
}

MoneyLedger money(const History& history) {
  MoneyLedger ledger;
  const std::map<std::string, Usd MoneyLedger::*> columns{
      {"instances", &MoneyLedger::instances}, {"volumes", &MoneyLedger::volumes},
      {"snapshots", &MoneyLedger::snapshots}, {"objects", &MoneyLedger::objects},
      {"logs", &MoneyLedger::logs},           {"requests", &MoneyLedger::requests},
      {"transfer", &MoneyLedger::transfer},
  };
  for (const ChargeLine& line : history.charges) {
    const auto column = columns.find(line.kind);
    if (column == columns.end()) {
      throw std::runtime_error("a charge of an unknown kind, \"" + line.kind + "\"");
    }
    ledger.*column->second += line.cost;
    ledger.total += line.cost;
  }
  return ledger;
}

Leftovers leftovers(const History& history) {
  Leftovers left;
  left.running_instances = history.running_instances();
  for (const auto& [id, state] : history.fleets) left.active_fleets += history.is_active(id);
  for (const auto& [name, desired] : history.groups) left.active_fleets += desired > 0;
  for (const auto& [id, snapshot] : history.snapshots)
    left.snapshots += snapshot.state != "deleted";
  for (const auto& [id, volume] : history.volumes) {
    const bool there = volume.state != "deleting" && volume.state != "deleted";
    const std::string name = history.name_of(id);
    left.tagged_volumes += there && !name.empty() && name == history.header.job_volume_tag;
  }
  return left;
}

void progress(const History& history, Result& result) {
  std::optional<Time> finished;
  for (const History::Instance& instance : history.instances) {
    for (const TrainerLine& line : instance.trainer) {
      result.steps_total = std::max(result.steps_total, line.total_steps);
      if (line.event != TrainerEvent::kFinished) continue;
      result.steps_total = std::max(result.steps_total, line.step);
      finished = std::max(finished.value_or(line.at), line.at);
    }
  }
  if (const auto deadline = history.header.deadline) {
    const Time done = finished.value_or(history.outcome == "completed" ? history.end : Time::max());
    const Time end = history.header.start + *deadline;
    result.deadline_met = done <= end;
    if (done != Time::max()) result.lateness = std::max(done - end, Duration{});
  }
}

void attempts(const History& history, const std::vector<InstanceTime>& times, Result& result) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    const History::Instance& instance = history.instances[i];
    result.time.billed += billed(history, instance.id);
    if (!instance.attempt()) {
      result.time.prepare += times[i].columns.sum();
      continue;
    }
    add(result.time, times[i].columns);
    result.attempts.push_back(attempt(history, i, times[i]));
    const Attempt& a = result.attempts.back();
    result.lost_steps += a.steps_done - a.steps_kept;
    result.restart_overhead += times[i].restarts;
    if (!is_restart(history, i) || follows_in_gang(history, i)) continue;
    const auto stays = instance.stays(history.end);
    const Time end = stays.empty() ? a.ended_at.value_or(history.end) : stays.front().second;
    const Time ready = std::min(a.first_step_at.value_or(end), end);
    result.restart_overhead += ready - a.launched_at;
  }
}

}  // namespace

Result compute(const History& history) {
  const std::vector<InstanceTime> times = instance_times(history);
  Result result;
  result.scenario = history.header.scenario;
  result.seed = history.header.seed;
  result.guest = history.header.guest;
  result.level = history.header.level;
  result.lockstep = history.header.lockstep;
  result.assumptions = history.header.assumptions;
  result.outcome = history.outcome;
  result.cause = history.cause;
  result.evidence = history.evidence;
  result.training_jobs = history.training_jobs;
  result.stacks = history.stacks;
  result.missing_actions = history.missing_actions;
  result.missing_permissions = history.missing_permissions;
  result.start = history.header.start;
  result.makespan = history.end - history.header.start;
  attempts(history, times, result);
  result.time.waiting = waiting(history);
  result.money = money(history);
  if (result.guest == "fiber" && result.money.snapshots.nano > 0)
    result.assumptions.emplace_back(
        "a snapshot is charged for training data and checkpoints that the previous one lacks; "
        "blocks "
        "of the file system are charged once");
  if (history.uses_cpu_metric)
    result.assumptions.emplace_back(
        "CPUUtilization is a model: an instance has one level while its trainer works according to "
        "its reports, and another one otherwise; a trainer that hangs counts as working, and "
        "booting or standing still for a checkpoint as idle; values appear without the delay of "
        "AWS");
  result.wasted = wasted_money(history, times);
  result.lost_time = result.time.train_lost;
  result.checkpoint_overhead = result.time.checkpoint;
  progress(history, result);
  result.at_end = leftovers(history);
  const BaselineCost same_job = baseline_cost(history, result, times);
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

}  // namespace sim::result
