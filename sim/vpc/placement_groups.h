// Placement groups: instances near each other, or on separate hardware (EC2 User Guide, "Placement
// groups for your Amazon EC2 instances").
#pragma once

#include <map>
#include <string>

#include "sim/vpc/resources.h"
#include "sim/vpc/table.h"

namespace sim::vpc {

class PlacementGroups {
 public:
  explicit PlacementGroups(Ids& ids) : ids_(ids) {}

  // Creates a group with the strategy "cluster", "partition" or "spread". `partitions` is 0 for the
  // other two. Throws InvalidPlacementGroup.Duplicate.
  const PlacementGroup& create(const std::string& name, const std::string& strategy,
                               int partitions);
  // Throws InvalidPlacementGroup.InUse until all instances of the group are terminated.
  void remove(const std::string& name);
  // Null if there is none.
  const PlacementGroup* named(const std::string& name) const;
  // Whether the group exists and keeps its instances near each other.
  bool is_cluster(const std::string& name) const;
  // Throws InvalidPlacementGroup.Unknown.
  const PlacementGroup& find(const std::string& name) const;

  // ---- launches. An empty name means no group, which permits everything.
  // Throws RunInstances' errors for an instance in this partition (0: any).
  void check(const std::string& name, int partition) const;
  // How many further instances of the group can run in a zone.
  int room(const std::string& name, const std::string& zone) const;
  // The error for a launch for which there is no room. InvalidPlacementGroup.InUse: a cluster's
  // instances are in another zone.
  ApiError refusal(const std::string& name, const std::string& zone) const;
  // The zone of a cluster's instances; empty: any.
  std::string zone_of(const std::string& name) const;

  // ---- members
  struct Member {
    std::string group, zone;
    int partition = 0;  // from 1; 0: the group has none
    enum class State { kRunning, kStopped, kEnding } state = State::kRunning;
  };
  // Adds an instance and returns its partition. An instance without a partition gets the one with
  // the fewest members.
  int join(const std::string& instance, const Member& wish);
  // These have no effect on an instance without a group.
  void set_state(const std::string& instance, Member::State state);
  void leave(const std::string& instance) { members_.erase(instance); }

  Table<PlacementGroup> table{"InvalidPlacementGroup.Unknown", "placement group ID"};

 private:
  Ids& ids_;
  std::map<std::string, Member> members_;  // by instance
};

}  // namespace sim::vpc
