// An event log sorted by what it tells of: the facts that the metrics are computed from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/market/usd.h"
#include "sim/result/cause.h"
#include "sim/result/evidence.h"
#include "sim/result/training_job.h"

namespace sim::run {

// What a trainer's lines tell: kCheckpointBegin is "trainer.checkpoint-begin".
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
  kOther
};

struct TrainerLine {
  std::size_t order = 0;  // its place among all trainers' lines
  Time at;
  std::int64_t step = 0;
  std::int64_t total_steps = 0;
  TrainerEvent event = TrainerEvent::kOther;
  std::uint32_t reason = 0;  // place in Story::reasons
};

struct ChargeLine {
  std::string kind, resource, unit, note;
  Time from, to;
  double quantity = 0;
  market::Usd unit_price, cost;
};

struct InstanceStory {
  std::string id, type, zone, lifecycle, fleet;
  std::string managed_by;  // the service that runs it: "sagemaker"; empty: the customer
  Time launched_at{};
  std::optional<Time> running_at, booted_at, notice_at, interrupted_at, shutting_down_at,
      terminated_at;
  std::optional<Time> exited_at;     // the end of its user data, the last one
  bool exited_badly = false;         // with a status that is not 0
  std::string end_reason;            // code of shutting-down, such as Client.UserInitiatedShutdown
  bool trained_or_meant_to = false;  // see attempt()
  std::vector<TrainerLine> trainer;

  // An instance that trains or was launched to: a spot instance, a fleet's, or one whose job got as
  // far as training. The others prepare.
  bool attempt() const { return trained_or_meant_to; }
  // When its billing ends; empty while it runs or when it never ran.
  std::optional<Time> billed_until() const {
    return shutting_down_at ? shutting_down_at : terminated_at;
  }
};

// Whether an instance is launched to train: a spot instance, or a fleet's. The others prepare.
inline bool launched_to_train(const events::InstanceState& event) {
  return event.is_new() && (event.lifecycle == "spot" || !event.fleet_id.empty());
}

// What run.start says.
struct Header {
  Time start{};
  std::string scenario, guest, level, job_volume_tag;
  std::uint64_t seed = 0;
  bool lockstep = false;
  std::optional<Duration> deadline;
  std::map<std::string, double> step_seconds;  // by instance type, where stated
  std::string baseline_type;                   // empty: no baseline
  std::int64_t baseline_instances = 1;
  std::optional<market::Usd> baseline_price;  // of one, on demand, an hour
  std::vector<std::string> assumptions;
};

struct Story {
  Header header;
  std::vector<InstanceStory> instances;                           // in launch order
  std::map<std::string, std::string> volumes, snapshots, fleets;  // ID → last state
  std::map<std::string, std::string> names;                       // resource ID → its Name tag
  std::vector<std::string> reasons{""};                           // of trainers' lines
  std::vector<ChargeLine> charges;
  std::vector<TrainingJobEnd> training_jobs;  // in the order of their ends
  std::string outcome;                        // of run.end; empty when the log ends before
  std::optional<Cause> cause;                 // of run.end, where the outcome is "failed"
  Evidence evidence;                          // of run.end
  Time end{};                                 // the last line's time
};

// Listens to a log from its first line on.
class StoryTeller {
 public:
  // The teller must outlive the log's listeners. They throw std::runtime_error when the first line
  // is no run.start or a line lacks what its event must have.
  void listen(events::Listeners& log);
  const Story& story() const { return story_; }

 private:
  void any(const events::AnyEvent& event);
  void run_start(const events::RunStart& event);
  void run_end(const events::RunEnd& event);
  void instance_state(const events::InstanceState& event);
  void phase(const events::OrchestratorPhase& event);
  void exit(const events::GuestExit& event);
  void tags_created(const events::TagsCreated& event);
  void tags_deleted(const events::TagsDeleted& event);
  void charge(const events::Charge& event);
  void training_job(const events::SagemakerEnd& event);
  // Of an event that has an instance_id: when it came first.
  template <class E>
  void listen_for(events::Listeners& log, std::optional<Time> InstanceStory::*mark);
  template <class... Events>
  void listen_to_trainers(events::Listeners& log);
  template <class E>
  void trainer(const E& event);

  // Null: the story knows none of this ID.
  InstanceStory* instance(std::string_view id);
  // There are a few, and many lines of each.
  std::uint32_t reason(std::string_view text);

  Story story_;
  bool begun_ = false;
  std::size_t heard_ = 0;                                  // lines of trainers
  std::map<std::string, std::size_t, std::less<>> index_;  // instance ID → place in instances
  std::size_t last_ = 0;                                   // place of the instance last told of
};

}  // namespace sim::run
