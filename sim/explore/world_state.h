// What a world is like at an instant, as its log tells, without names and times: two instants that
// are alike in it are taken to go on alike.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/events/listeners.h"

namespace sim::explore {

class WorldState {
 public:
  // The world must outlive the log's listeners.
  void listen(events::Listeners& log);
  // Of the state, the zone, the tags and the newest checkpoint of every live resource, what each
  // instance's orchestrator is at, and its last call.
  std::uint64_t hash() const;

  // "2" for the second instance of the run, else the name itself ("operator").
  std::string machine(const std::string& name) const;
  bool instance_runs() const;
  bool spot_runs() const;

 private:
  struct Instance {
    int number = 0;
    std::string state, zone, lifecycle, phase, last_call;
    bool noticed = false;
  };
  struct Volume {
    std::string state, zone, attachment;
    std::int64_t checkpoint = 0;  // the newest on it
  };
  struct Snapshot {
    std::string state;
    std::int64_t checkpoint = 0;
  };
  using Tags = std::map<std::string, std::string>;

  void instance_state(const events::InstanceState& event);
  void volume_state(const events::VolumeState& event);
  void snapshot_state(const events::SnapshotState& event);
  void tags_created(const events::TagsCreated& event);
  void tags_deleted(const events::TagsDeleted& event);
  void phase(const events::OrchestratorPhase& event);
  void call(const events::ApiCall& event);
  void checkpoint_durable(const events::TrainerCheckpointDurable& event);
  void trainer_tells(const events::AnyEvent& event);
  std::string tags_of(const std::string& id) const;

  std::map<std::string, Instance> instances_;  // by ID, as all below
  std::map<std::string, Volume> volumes_;
  std::map<std::string, Snapshot> snapshots_;
  std::map<std::string, std::string> fleets_;
  std::map<std::string, Tags> tags_;
  std::string operator_call_;
  std::int64_t newest_ = 0;  // checkpoint that is durable anywhere
};

}  // namespace sim::explore
