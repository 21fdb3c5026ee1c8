// A hash of the world's state without names and times. Explore assumes that two instants with equal
// states continue alike.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "sim/events/listeners.h"
#include "sim/result/history.h"

namespace sim::explore {

class WorldState {
 public:
  // The history must be up to date with an event before this class gets the event. It and this
  // object must outlive the log's listeners.
  void listen(events::Listeners& log, const result::History& history);
  // Covers the state, zone, tags and newest checkpoint of every live resource, the phase of each
  // instance's orchestrator, and its last call. For Auto Scaling groups and Elastigroups it covers
  // the target and each member's state.
  std::uint64_t hash() const;

  // "2" for the second instance of the run, else the name itself ("operator").
  std::string machine(std::string_view name) const;
  bool instance_runs() const;
  bool spot_runs() const;

 private:
  void listen_to_groups(events::Listeners& log);
  std::string last_call(const std::string& instance) const;
  std::string tags_of(const std::string& id) const;
  // "newest", "older" or "none", compared with the durable checkpoints on all disks.
  const char* checkpoint_on(const std::string& disk) const;

  const result::History* history_ = nullptr;
  // For an instance: its last call or trainer's line since its last phase. For the operator and
  // others: the last call.
  std::map<std::string, std::string> last_calls_;
  std::map<std::string, std::int64_t> elastigroups_;  // targets, by ID
  // By instance of an Auto Scaling group, and by stateful instance; without former members.
  std::map<std::string, std::string> members_;
};

}  // namespace sim::explore
