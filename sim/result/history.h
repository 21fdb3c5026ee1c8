// The history of a run: every resource in its present state, how it got there, and the checkpoints
// on each disk, snapshot and bucket. It covers the events so far. HistoryBuilder makes it. The
// metrics, the outcome, the invariants, explore and the status line of `serve` read it; none of
// these follows resources by itself.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/usd.h"
#include "sim/result/cause.h"
#include "sim/result/checkpoints.h"
#include "sim/result/evidence.h"
#include "sim/result/missing_action.h"
#include "sim/result/missing_permission.h"
#include "sim/result/stack_end.h"
#include "sim/result/training_job.h"

namespace sim::result {

// What a trainer's lines report: kCheckpointBegin is "trainer.checkpoint-begin".
enum class TrainerEvent {
  kStart,
  kStep,
  kCheckpointBegin,
  kCheckpointSnapshot,
  kCheckpointDurable,
  kCheckpointWritten,
  kCheckpointFailed,
  kStop,
  kFinished,
  kFailed,  // "trainer.diverged", "trainer.crash"
  kOther
};

struct TrainerLine {
  std::size_t order = 0;  // its place among all trainers' lines
  std::size_t stay = 0;   // how many of its instance's pauses have ended before it
  Time at;
  std::int64_t step = 0;
  std::int64_t total_steps = 0;
  TrainerEvent event = TrainerEvent::kOther;
  std::uint32_t reason = 0;  // place in History::reasons
};

struct ChargeLine {
  std::string kind, resource, unit, note;
  Time from, to;
  double quantity = 0;
  market::Usd unit_price, cost;
};

// The content of run.start.
struct Header {
  Time start{};
  std::string scenario, guest, level, job_volume_tag;
  std::uint64_t seed = 0;
  bool lockstep = false;
  std::optional<Duration> deadline;
  std::map<std::string, double> step_seconds;  // by instance type, if stated
  std::string baseline_type;                   // empty: no baseline
  std::int64_t baseline_instances = 1;
  std::optional<market::Usd> baseline_price;  // of one baseline instance, on demand, per hour
  std::vector<std::string> assumptions;

  std::string progress;  // the rule that reads a trainer's progress; empty: the scenario has none
  std::string evidence;  // "none": the job leaves nothing; "scripts": scripts suffice; else empty
  bool copies = false;   // the job copies its checkpoints to a bucket
  // Linux keeps written data in memory for 30 s, and looks every 5 s. After this time a file is on
  // its disk.
  static constexpr Duration kWrittenBack = std::chrono::seconds{60};
  Duration written_back = kWrittenBack;

  bool needs_evidence() const { return evidence.empty(); }
  bool scripts_suffice() const { return evidence == "scripts"; }
  // A checkpoint on a root disk is durable only as a copy if the job makes copies.
  bool needs_copy(std::string_view disk) const { return copies && disk == kRootDisk; }
};

struct History {
  // The end of a machine's script, which is an instance's user data or the operator's script.
  struct Exit {
    Time at{};
    std::int64_t status = 0;
    std::string line;
  };

  // A stop of an instance until it runs again, or a reboot. Its programs end, unless it hibernates.
  struct Pause {
    Time begins_at{};                // it enters the state `stopping`, or reboots
    Time billed_until{};             // the end of billing: later than `begins_at` if it hibernates
    std::optional<Time> started_at;  // since when it starts again: it is `pending`, or reboots
    std::optional<Time> until;       // since when it runs again; empty while it does not
    std::optional<Time> notice_at;   // of the interruption that stopped it
    std::string reason;              // of `stopping`, such as Client.UserInitiatedShutdown
    bool hibernates() const { return billed_until > begins_at; }
  };

  struct Instance {
    std::string id, type, zone, lifecycle, fleet;
    std::string autoscaling_group;
    std::string managed_by;  // service that runs it, such as "sagemaker"; empty: the customer
    std::string state;
    Time launched_at{};
    std::optional<Time> running_at, booted_at, shutting_down_at, terminated_at;
    std::optional<Time> notice_at, interrupted_at;  // since it last started
    std::vector<Pause> pauses;                      // in order; only the last one may lack its end
    std::vector<Exit> exits;                        // of its user data, in order
    std::string end_reason;           // code of shutting-down, such as Client.UserInitiatedShutdown
    bool cut_short = false;           // it shut down or stopped before its user data had ended
    bool has_trained = false;         // a trainer started, or spotrun reached its training phase
    std::vector<std::string> phases;  // of spotrun, in order
    std::vector<TrainerLine> trainer;

    // A spot instance, or one of a fleet or of an Auto Scaling group, is launched to train. The
    // others prepare.
    bool launched_to_train() const {
      return lifecycle == "spot" || !fleet.empty() || !autoscaling_group.empty();
    }
    // True for an instance that trained or was launched to train.
    bool attempt() const { return has_trained || launched_to_train(); }
    bool is_stopped() const { return !pauses.empty() && !pauses.back().until; }
    // How often it has run again after a pause.
    std::size_t restarts() const { return pauses.size() - (is_stopped() ? 1 : 0); }
    // The end of its billing. Empty while it runs or starts, or if it never ran.
    std::optional<Time> billed_until() const;
    // From when to when it ran and was billed, in order. It still runs until `now`.
    std::vector<std::pair<Time, Time>> stays(Time now) const;
    // Since when it runs without a pause. Empty if it never ran.
    std::optional<Time> runs_since() const;
    // Its first interruption notice.
    std::optional<Time> first_notice_at() const;
    bool reached(std::string_view phase) const;
  };

  struct Resource {
    std::string state;
    Time made_at{}, since{};  // `since`: when it entered its state
    std::string made_by;      // the line that first reports it
    bool by_job = false;      // made after the first launch of an instance to train
  };
  struct Attachment {
    std::string state, line;  // the line that reports the state; both are empty without attachment
    Time since{};
  };
  struct Volume : Resource {
    std::string zone;
    Attachment attachment;
    // True if the volume exists or is being created.
    bool is_live() const {
      return state == "creating" || state == "available" || state == "in-use";
    }
  };
  struct Snapshot : Resource {
    std::string volume;
    bool is_there() const { return state != "deleted" && state != "error"; }
  };
  struct Tags {
    std::map<std::string, std::string> all;
    std::string named_by;  // the line that gave the tag Name
  };
  template <class T>
  using ById = std::map<std::string, T, std::less<>>;

  Header header;
  std::vector<Instance> instances;  // in launch order
  ById<Exit> exits;                 // the last ones, by instance ID, and "operator"
  ById<Volume> volumes;
  ById<Snapshot> snapshots;
  ById<std::string> fleets;                    // the state
  ById<std::int64_t> groups;                   // Auto Scaling's, their desired capacity
  ById<Tags> tags;                             // by resource
  std::set<std::string, std::less<>> objects;  // by "s3://BUCKET/KEY"
  ById<Time> made_by_faults;  // when a fault made a resource (fault.made), by resource
  Checkpoints checkpoints;
  std::vector<std::string> reasons{""};    // of trainers' lines
  std::int64_t step = 0, total_steps = 0;  // as the trainers last reported
  std::vector<ChargeLine> charges;
  std::vector<TrainingJobEnd> training_jobs;           // in the order of their ends
  std::vector<StackEnd> stacks;                        // in the order of their creation
  bool uses_cpu_metric = false;                        // a call to CloudWatch names CPUUtilization
  std::vector<MissingAction> missing_actions;          // in the order of their first calls
  std::vector<MissingPermission> missing_permissions;  // in the order of the first refusals
  std::string outcome;                                 // of run.end; empty before
  std::optional<Cause> cause;                          // of run.end, where the outcome is "failed"
  Evidence evidence;                                   // of run.end
  Time end{};                                          // the last line's time

  // Null if no instance has this ID.
  const Instance* instance(std::string_view id) const;
  // True if a service runs the instance, not the customer.
  bool is_managed(std::string_view instance) const;
  std::size_t running_instances() const;
  bool is_active(std::string_view fleet) const;
  // The resource's tag Name, or an empty text.
  std::string name_of(std::string_view resource) const;

  // The greatest step of all existing durable checkpoints. Empty if there is none, or if its disk
  // is unknown. Damaged disks (fault.damage) do not count, nor copies made from them before they
  // had a new durable checkpoint. The volume `broken` and its pending snapshots do not count
  // either.
  std::optional<std::int64_t> newest_durable(std::string_view broken = {}) const;

  // Indices into `instances`, by ID. Only HistoryBuilder changes them.
  ById<std::size_t> places;
};

}  // namespace sim::result
