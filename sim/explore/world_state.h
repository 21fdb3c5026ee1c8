// A hash of the world's state without names and times. Explore assumes that two instants with equal
// states continue alike.
#pragma once

#include <cstdint>
#include <map>
#include <set>
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
  // True if EC2 permits customers to stop this instance, in the form of machine(). If this is no
  // instance: the newest that runs.
  bool can_stop(std::string_view machine) const;
  // What the trainer on this machine, in the form of machine(), did last: "" (no trainer started),
  // "trains", "stopped" or "finished". Saves do not change it.
  std::string_view training(std::string_view machine) const;

 private:
  const result::History::Instance* numbered(std::string_view machine) const;
  void listen_to_groups(events::Listeners& log);
  void listen_to_requests(events::Listeners& log);
  void listen_to_trainers(events::Listeners& log);
  bool may_be_stopped(const result::History::Instance& instance) const;
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
  std::map<std::string, std::string_view> trainers_;  // by instance, as training() has it
  std::set<std::string, std::less<>> persistent_;     // spot requests, and their instances
};

}  // namespace sim::explore
