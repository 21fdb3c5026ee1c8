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
#include "sim/result/missing_action.h"
#include "sim/result/missing_permission.h"
#include "sim/result/stack_end.h"
#include "sim/result/training_job.h"

namespace sim::result {

using market::Usd;

// One instance that trained or was launched to train.
struct Attempt {
  std::size_t number = 0;  // number of the instance in the order of launch, as plans name it
  std::string instance_id, instance_type, availability_zone, lifecycle;
  Time launched_at{};
  std::optional<Time> running_at, first_step_at, notice_at, ended_at;
  std::string end_reason;  // "finished", "interrupted", "terminated", "stopped", "running"
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

// Money paid for instances while no kept step was trained. Parts of it are the money for lost
// steps, for pauses at checkpoints, and for restarts. A restart lasts from an attempt's boot to its
// first step; the first attempt has none.
struct WastedMoney {
  Usd all, lost, checkpoint, restart;
};

// Resources that exist when the run ends.
struct Leftovers {
  int tagged_volumes = 0;     // live volumes with the job's Name tag
  int running_instances = 0;  // not terminated
  int active_fleets = 0;      // Auto Scaling groups included: they may still launch instances
  int snapshots = 0;
};

// The verdict on an expectation or an invariant (sim/result/invariants). `found` is empty for an
// invariant that holds.
struct Verdict {
  std::string what;
  bool holds = false;
  std::string found;
  // Invariants only: the name, such as "progress-kept", the time of the breach, and the lines of
  // events.jsonl that show it.
  std::string id = {};
  std::optional<Time> at = {};
  std::vector<std::string> lines = {};
  // For a broken invariant: the figures that the breach is about, as keys of `expect:`. An
  // expectation excuses the breach if it states all of them.
  struct Figure {
    std::string_view key;
    std::optional<double> value = {};  // empty: the result's own value
  };
  std::vector<Figure> about = {};
  // The expectations that excuse the breach, as the scenario states them. An excused breach is no
  // failure.
  std::vector<std::string> excused_by = {};

  bool excused() const { return !excused_by.empty(); }
  bool fails() const { return !holds && !excused(); }
};

// An entry of the scenario's `interruptions` or `faults`, and how often it had an effect.
struct PlannedStrike {
  std::string entry;  // "interruptions[0]"
  std::string plan;   // as the scenario has it: "{instance: 2, after: 10m}"
  std::int64_t strikes = 0;
  std::string remark;           // why it had no effect; empty: it had one
  bool names_instance = false;  // by its number
  bool part = true;             // false if this run did not draw its chance
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
  std::vector<MissingAction> missing_actions;
  std::vector<Attempt> attempts;
  std::vector<TrainingJobEnd> training_jobs;
  std::vector<StackEnd> stacks;
  std::vector<MissingPermission> missing_permissions;
  std::int64_t steps_total = 0;  // of the whole job; 0: unknown
  TimeLedger time;
  MoneyLedger money;
  std::int64_t lost_steps = 0;
  Duration lost_time{};
  Duration checkpoint_overhead{};
  Duration restart_overhead{};
  std::optional<Usd> baseline_cost;
  std::optional<Usd> baseline_without_checkpoints;  // for sweeps that compare checkpoint policies
  std::optional<double> savings;
  std::string savings_unknown;  // the reason if there are no savings, else empty
  std::optional<bool> deadline_met;
  // For sweeps: 0 if the job was in time. Empty without a deadline, or if the job did not finish.
  std::optional<Duration> lateness;
  WastedMoney wasted;  // for sweeps
  Leftovers at_end;
  std::vector<PlannedStrike> plan;
  std::vector<Verdict> expectations;
  std::vector<Verdict> invariants;
  std::vector<std::string> assumptions;
};

// True if any trainer or script reported its start, a step or its end. Otherwise the steps are
// unknown, and all time after boot counts as `migrate`.
bool reports_progress(const Result& result);

// result.json as docs/result.schema.json has it.
Json to_json(const Result& result);

}  // namespace sim::result
