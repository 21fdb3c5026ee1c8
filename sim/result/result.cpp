#include "sim/result/result.h"

#include <algorithm>

#include "sim/events/event.h"

namespace sim::result {
namespace {

Json instant(const std::optional<Time>& t) {
  return t ? Json(iso_milliseconds(*t)) : Json(nullptr);
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const Attempt& a) {
  return {{"number", a.number},
          {"instance_id", a.instance_id},
          {"instance_type", a.instance_type},
          {"availability_zone", a.availability_zone},
          {"lifecycle", a.lifecycle},
          {"launched_at", iso_milliseconds(a.launched_at)},
          {"running_at", instant(a.running_at)},
          {"first_step_at", instant(a.first_step_at)},
          {"notice_at", instant(a.notice_at)},
          {"ended_at", instant(a.ended_at)},
          {"end_reason", a.end_reason},
          {"steps_done", a.steps_done},
          {"steps_kept", a.steps_kept},
          {"billed_seconds", seconds(a.billed)},
          {"cost_usd", a.cost.dollars()}};
}

Json to_json(const TrainingJobEnd& job) {
  return {
      {"name", job.name},
      {"status", job.status},
      {"secondary_status", job.secondary_status},
      {"hosts", job.hosts},
      {"interruptions", job.interruptions},
      {"training_seconds", job.training_seconds},
      {"billable_seconds", job.billable_seconds},
      {"savings", or_null(job.savings())},
      {"model", job.model.empty() ? Json(nullptr) : Json(job.model)},
      {"failure_reason", job.failure_reason.empty() ? Json(nullptr) : Json(job.failure_reason)}};
}

Json to_json(const PlannedStrike& p) {
  return {{"entry", p.entry},
          {"plan", p.plan},
          {"strikes", p.strikes},
          {"remark", p.remark.empty() ? Json(nullptr) : Json(p.remark)}};
}

Json to_json(const TimeLedger& t) {
  return {{"prepare", seconds(t.prepare)},
          {"boot", seconds(t.boot)},
          {"migrate", seconds(t.migrate)},
          {"restore", seconds(t.restore)},
          {"train_kept", seconds(t.train_kept)},
          {"train_lost", seconds(t.train_lost)},
          {"checkpoint", seconds(t.checkpoint)},
          {"notice_idle", seconds(t.notice_idle)},
          {"idle", seconds(t.idle)},
          {"teardown", seconds(t.teardown)},
          {"billed", seconds(t.billed)},
          {"waiting", seconds(t.waiting)}};
}

Json to_json(const MoneyLedger& m) {
  return {{"instances", m.instances.dollars()}, {"volumes", m.volumes.dollars()},
          {"snapshots", m.snapshots.dollars()}, {"objects", m.objects.dollars()},
          {"logs", m.logs.dollars()},           {"requests", m.requests.dollars()},
          {"transfer", m.transfer.dollars()},   {"total", m.total.dollars()}};
}

Json to_json(const StackEnd& stack) {
  return {{"name", stack.name},
          {"status", stack.status},
          {"reason", stack.reason.empty() ? Json(nullptr) : Json(stack.reason)},
          {"skipped", stack.skipped}};
}

Json to_json(const MissingAction& missing) {
  return {{"service", missing.service},
          {"action", missing.action},
          {"caller", missing.caller},
          {"first_at", iso_milliseconds(missing.first)},
          {"calls", missing.calls}};
}

Json to_json(const MissingPermission& missing) {
  return {{"action", missing.action},     {"principal", missing.principal},
          {"caller", missing.caller},     {"reason", missing.reason},
          {"resource", missing.resource}, {"first_at", iso_milliseconds(missing.first)},
          {"calls", missing.calls}};
}

Json to_json(const Verdict& v, const char* key) {
  Json row{{key, v.what}, {"holds", v.holds}};
  if (!v.id.empty()) row["id"] = v.id;
  if (!v.found.empty()) row["found"] = v.found;
  if (v.at) row["at"] = iso_milliseconds(*v.at);
  if (!v.lines.empty()) row["lines"] = v.lines;
  if (v.excused()) row["excused_by"] = v.excused_by;
  return row;
}

Json verdicts(const std::vector<Verdict>& list, const char* key) {
  Json array = Json::array();
  for (const Verdict& v : list) array.push_back(to_json(v, key));
  return array;
}

}  // namespace

bool reports_progress(const Result& r) {
  return r.time.restore > Duration{} || std::ranges::any_of(r.attempts, [](const Attempt& a) {
           return a.steps_done > 0 || a.first_step_at || a.end_reason == "finished";
         });
}

Json to_json(const Result& r) {
  Json attempts = Json::array();
  for (const Attempt& a : r.attempts) attempts.push_back(to_json(a));
  Json training_jobs = Json::array();
  for (const TrainingJobEnd& job : r.training_jobs) training_jobs.push_back(to_json(job));
  Json stacks = Json::array();
  for (const StackEnd& stack : r.stacks) stacks.push_back(to_json(stack));
  Json actions = Json::array();
  for (const MissingAction& one : r.missing_actions) actions.push_back(to_json(one));
  Json permissions = Json::array();
  for (const MissingPermission& one : r.missing_permissions) permissions.push_back(to_json(one));
  Json plan = Json::array();
  for (const PlannedStrike& entry : r.plan) plan.push_back(to_json(entry));
  return {{"schema", Result::kSchema},
          {"scenario", r.scenario},
          {"seed", r.seed},
          {"guest", r.guest},
          {"level", r.level},
          {"lockstep", r.lockstep},
          {"outcome", r.outcome},
          {"cause", r.cause ? to_json(*r.cause) : Json(nullptr)},
          {"evidence", to_json(r.evidence)},
          {"started_at", iso_milliseconds(r.start)},
          {"makespan_seconds", seconds(r.makespan)},
          {"missing_actions", actions},
          {"attempts", attempts},
          {"training_jobs", training_jobs},
          {"stacks", stacks},
          {"missing_permissions", permissions},
          {"steps_total", r.steps_total},
          {"time_ledger_seconds", to_json(r.time)},
          {"money_ledger_usd", to_json(r.money)},
          {"lost_progress", {{"steps", r.lost_steps}, {"seconds", seconds(r.lost_time)}}},
          {"checkpoint_overhead_seconds", seconds(r.checkpoint_overhead)},
          {"restart_overhead_seconds", seconds(r.restart_overhead)},
          {"cost_usd", r.money.total.dollars()},
          {"baseline_cost_usd", r.baseline_cost ? Json(r.baseline_cost->dollars()) : Json(nullptr)},
          {"savings", or_null(r.savings)},
          {"savings_unknown", r.savings ? Json(nullptr) : Json(r.savings_unknown)},
          {"deadline_met", or_null(r.deadline_met)},
          {"at_end",
           {{"tagged_volumes", r.at_end.tagged_volumes},
            {"running_instances", r.at_end.running_instances},
            {"active_fleets", r.at_end.active_fleets},
            {"snapshots", r.at_end.snapshots}}},
          {"plan", plan},
          {"expectations", verdicts(r.expectations, "expect")},
          {"invariants", verdicts(r.invariants, "name")},
          {"assumptions", r.assumptions}};
}

}  // namespace sim::result
