// Where a fault can strike in a run, found by listening to one.
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
  // What is there, without names: "CreateVolume", "volume.state creating",
  // "/latest/api/token", and by or about which machine.
  std::string about, machine;
  Time at{};
  std::uint64_t state = 0;  // of the world
  bool instance_runs = false, spot_runs = false;
  // What happens at the same instant as at a point before, after whatever that one is about: who
  // strikes the instant, strikes both.
  bool same_instant = false;
};

// Hears a run's log from the first line on.
class StrikePoints {
 public:
  // `own`: how many faults the scenario has. The plan's faults are numbered on from them.
  explicit StrikePoints(std::size_t own = 0) : own_(static_cast<std::int64_t>(own)) {}

  // The history must be up to date with an event before this class gets the event. It and the
  // points must outlive the log's listeners.
  void listen(events::Listeners& log, const run::History& history);

  const std::vector<StrikePoint>& all() const { return all_; }
  // Those between the first strike of the plan's faults and the end of the recovery from it: a
  // checkpoint of steps that were done after it is durable, or written, other than by an instance
  // that is to go. Empty where no fault has struck.
  std::vector<StrikePoint> in_recovery() const;
  // Of the plan's faults, how many have struck.
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
  std::map<std::string, int> seen_;  // what counts in `nth`, by its words
  bool stepped_ = false;             // the last line that counts was a step
  std::set<std::string> polled_;     // since the last that is neither a step nor found nothing
  Time instant_{};
  bool instant_taken_ = false;
  std::set<std::int64_t> struck_;
  std::size_t recovery_begins_ = 0, recovery_ends_ = SIZE_MAX;  // places in all_
  bool trained_since_ = false;
  std::set<std::string> leaving_;  // instances that have had a notice since
};

}  // namespace sim::explore
