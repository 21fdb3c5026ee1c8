// The result of a run as plain data; docs/result.md explains every field.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/kernel/time.h"
#include "sim/market/usd.h"
#include "sim/result/cause.h"
#include "sim/result/evidence.h"
#include "sim/result/stack_end.h"
#include "sim/result/training_job.h"

namespace sim::run {

using market::Usd;

// One instance that trained or was launched to train.
struct Attempt {
  std::size_t number = 0;  // of the instance, in the order of launch: as a plan names it
  std::string instance_id, instance_type, availability_zone, lifecycle;
  Time launched_at{};
  std::optional<Time> running_at, first_step_at, notice_at, ended_at;
  std::string end_reason;  // "finished", "interrupted", "terminated", "running"
  std::int64_t steps_done = 0;
  std::int64_t steps_kept = 0;
  Duration billed{};
  Usd cost;
};

// Where the billed time of all instances went: every billed second is in exactly one column, and
// the columns before `billed` add up to it. `waiting` is time without an instance.
struct TimeLedger {
  Duration prepare{}, boot{}, migrate{}, restore{}, train_kept{}, train_lost{}, checkpoint{},
      notice_idle{}, idle{}, teardown{};
  Duration billed{};
  Duration waiting{};

  Duration sum() const {
    return prepare + boot + migrate + restore + train_kept + train_lost + checkpoint + notice_idle +
           idle + teardown;
  }
};

struct MoneyLedger {
  Usd instances, volumes, snapshots, objects, logs, requests, transfer, total;
};

// Of the money for instances, what was paid while no step was trained that was kept; and of that,
// what was paid for steps lost, for standing still at checkpoints, and for restarts: from an
// attempt's boot to its first step, of all attempts but the first.
struct WastedMoney {
  Usd all, lost, checkpoint, restart;
};

// What is left when the run ends.
struct Leftovers {
  int tagged_volumes = 0;     // live volumes with the job's Name tag
  int running_instances = 0;  // not terminated
  int active_fleets = 0;      // and Auto Scaling groups: may still launch instances
  int snapshots = 0;
};

// An expectation or an invariant (sim/result/invariants) and whether it holds; `found` is empty for
// invariants that do.
struct Verdict {
  std::string what;
  bool holds = false;
  std::string found;
  // Of an invariant: its name, such as "progress-kept"; when it broke, and the lines of the log
  // that show it, as they stand in events.jsonl.
  std::string id = {};
  std::optional<Time> at = {};
  std::vector<std::string> lines = {};
  // Of a broken invariant: the figures that the breach is about, as keys of `expect:`. An
  // expectation that states a figure excuses a breach that is about this figure alone.
  struct Figure {
    std::string_view key;
    std::optional<double> value = {};  // empty: the result's own
  };
  std::vector<Figure> about = {};
  // The expectations that state the breach, as the scenario has them: it is shown, and no failure.
  std::vector<std::string> excused_by = {};

  bool excused() const { return !excused_by.empty(); }
  bool fails() const { return !holds && !excused(); }
};

// An entry of the scenario's `interruptions` or `faults`, and how often it struck something.
struct PlannedStrike {
  std::string entry;  // "interruptions[0]"
  std::string plan;   // as the scenario has it: "{instance: 2, after: 10m}"
  std::int64_t strikes = 0;
  std::string remark;           // why it did not strike, or had no effect; empty: it did
  bool names_instance = false;  // by its number
  bool part = true;             // of this run: false where its chance was not drawn
};

struct Result {
  static constexpr int kSchema = 1;

  std::string scenario;
  std::uint64_t seed = 0;
  std::string guest, level;
  bool lockstep = false;
  std::string outcome;
  std::optional<Cause> cause;  // where the outcome is "failed"
  Evidence evidence;
  Time start{};
  Duration makespan{};
  std::vector<Attempt> attempts;
  std::vector<TrainingJobEnd> training_jobs;
  std::vector<StackEnd> stacks;
  std::int64_t steps_total = 0;  // of the whole job; 0: unknown
  TimeLedger time;
  MoneyLedger money;
  std::int64_t lost_steps = 0;
  Duration lost_time{};
  Duration checkpoint_overhead{};
  Duration restart_overhead{};
  std::optional<Usd> baseline_cost;
  std::optional<Usd> baseline_without_checkpoints;  // of sweeps, which compare ways to save
  std::optional<double> savings;
  std::string savings_unknown;  // why there are none; empty where there are
  std::optional<bool> deadline_met;
  // Of sweeps: 0 in time; empty without a deadline, and where the job was not done.
  std::optional<Duration> lateness;
  WastedMoney wasted;  // of sweeps
  Leftovers at_end;
  std::vector<PlannedStrike> plan;
  std::vector<Verdict> expectations;
  std::vector<Verdict> invariants;
  std::vector<std::string> assumptions;
};

// Whether any trainer or script reported its start, a step or its end. Otherwise the steps are
// unknown, and all time after the boot counts as `migrate`.
bool reports_progress(const Result& result);

// result.json as docs/result.schema.json has it.
Json to_json(const Result& result);

}  // namespace sim::run
