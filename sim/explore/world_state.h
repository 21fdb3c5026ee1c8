// The state of a world at an instant, without names and times: explore takes two instants with
// equal states to go on alike.
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
  void listen(events::Listeners& log, const run::History& history);
  // Covers the state, the zone, the tags and the newest checkpoint of every live resource, the
  // phase of each instance's orchestrator, and its last call. Of Auto Scaling groups and
  // Elastigroups, how many instances each wants and the state that it has each instance in.
  std::uint64_t hash() const;

  // "2" for the second instance of the run, else the name itself ("operator").
  std::string machine(std::string_view name) const;
  bool instance_runs() const;
  bool spot_runs() const;

 private:
  void listen_to_groups(events::Listeners& log);
  std::string last_call(const std::string& instance) const;
  std::string tags_of(const std::string& id) const;
  // "newest", "older", or "none", of the checkpoints that are durable anywhere.
  const char* checkpoint_on(const std::string& disk) const;

  const run::History* history_ = nullptr;
  // Of an instance, its last call or line of a trainer since its last phase; of the operator, as of
  // everyone else, its last call.
  std::map<std::string, std::string> last_calls_;
  std::map<std::string, std::int64_t> elastigroups_;  // by ID, their targets
  // By instance of an Auto Scaling group and by stateful instance; without those that have left.
  std::map<std::string, std::string> members_;
};

}  // namespace sim::explore
