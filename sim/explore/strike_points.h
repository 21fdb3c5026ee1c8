// Finds the points of a run at which a fault can strike, by listening to the run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/events/listeners.h"
#include "sim/explore/world_state.h"
#include "sim/faults/plan.h"

namespace sim::explore {

struct StrikePoint {
  enum class Kind { kCall, kAnsweredCall, kMetadata, kEvent };
  Kind kind;
  faults::When when;
  // The event without names, such as "CreateVolume", "volume.state creating" or
  // "/latest/api/token", and the machine that it is by or about.
  std::string about, machine;
  Time at{};
  std::uint64_t state = 0;  // hash of the world's state
  bool instance_runs = false, spot_runs = false;
  // True if EC2 permits customers to stop the point's instance, or else the newest running one.
  bool can_stop = false;
  std::string_view training;  // of the machine, as WorldState has it
  // True if an earlier point has the same instant and follows the same event. A fault that strikes
  // instants then strikes both.
  bool same_instant = false;
};

// Listens to a run's log from the first line on.
class StrikePoints {
 public:
  // `own`: the number of faults in the scenario. The plan's faults are numbered after them.
  explicit StrikePoints(std::size_t own = 0) : own_(static_cast<std::int64_t>(own)) {}

  // The history must be up to date with an event before this class gets the event. It and the
  // points must outlive the log's listeners.
  void listen(events::Listeners& log, const result::History& history);

  const std::vector<StrikePoint>& all() const { return all_; }
  // The points between the first strike of the plan and the end of the recovery. Recovery ends when
  // a checkpoint with later steps is durable or written on an instance that has no notice. Empty if
  // no fault has struck.
  std::vector<StrikePoint> in_recovery() const;
  // The number of the plan's faults that have struck.
  std::size_t struck() const { return struck_.size(); }

 private:
  void add(StrikePoint::Kind kind, faults::When when, std::string about, const std::string& machine,
           Time at);
  void call(const events::ApiCall& event);
  void metadata(const events::ImdsRequest& event);
  void hear(const events::AnyEvent& line);
  void follow_recovery(const events::AnyEvent& line);

  std::int64_t own_;
  WorldState world_;
  std::vector<StrikePoint> all_;
  std::map<std::string, int> seen_;  // occurrences by description, for `nth`
  bool stepped_ = false;             // the last counted line was a step
  // Polls since the last line that is neither a step nor an unsuccessful poll.
  std::set<std::string> polled_;
  Time instant_{};
  bool instant_taken_ = false;
  std::set<std::int64_t> struck_;
  std::size_t recovery_begins_ = 0, recovery_ends_ = SIZE_MAX;  // indices into all_
  bool trained_since_ = false;
  std::set<std::string> leaving_;  // instances that have had a notice since the strike
};

}  // namespace sim::explore
