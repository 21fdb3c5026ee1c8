// A group of the Elastigroup service (Spot by NetApp, formerly Spotinst), as plain data: its
// request, its stateful instances, and its log.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cloud/resources.h"
#include "sim/elastigroup/states.h"
#include "sim/events/event.h"
#include "sim/kernel/time.h"

namespace sim::elastigroup {

// The group's preference among spot markets (strategy.availabilityVsCost).
enum class Orientation { kAvailability, kBalanced, kCost, kCheapest };

// How a replacement gets its data volumes (strategy.persistence.blockDevicesMode).
enum class BlockDevicesMode {
  kOnLaunch,  // new volumes of the latest snapshots, launched with the instance, in any zone
  kReattach   // the same volumes, attached once the instance runs, in their zone
};

struct Capacity {
  int minimum = 0, maximum = 0, target = 0;
};

struct Persistence {
  bool root_device = false, block_devices = false, private_ip = false;
  BlockDevicesMode mode = BlockDevicesMode::kOnLaunch;

  // Whether the group's instances are stateful instances.
  bool any() const { return root_device || block_devices || private_ip; }
};

struct Zone {
  std::string name;
  std::string subnet_id;  // empty: the zone's default subnet
};

// The fields of POST and PUT of a group; read_group() of fakes/spotinst checks them.
struct GroupSpec {
  std::string name;
  Capacity capacity;
  int risk = 100;                      // percentage of the target that runs on spot
  std::optional<int> on_demand_count;  // replaces `risk`: the number of on-demand instances
  Orientation orientation = Orientation::kBalanced;
  bool fallback_to_on_demand = false;
  bool revert_to_spot = true;   // when a spot market has capacity again
  Duration draining_timeout{};  // before an instance ends that a lower target removes
  Persistence persistence;
  std::string on_demand_type;
  std::vector<std::string> spot_types;
  std::vector<Zone> zones;
  // Preferred types and zones come first while one of their markets has capacity.
  std::set<std::string> preferred_types, preferred_zones;
  cloud::LaunchSpec launch;  // without type, zone and subnet
  Json document;             // the request's "group", which answers repeat
};

// The resources of a stateful instance that deallocation deletes (statefulDeallocation). The
// private address needs no choice, because the group keeps it, not a network interface.
struct Deallocation {
  bool images = false, volumes = false, snapshots = false;
};

// A data volume of a stateful instance, or its root.
struct Device {
  std::string name;  // "/dev/sdf"
  bool root = false;
  cloud::VolumeId volume = {};      // empty: none now; the next launch makes one from the snapshot
  cloud::SnapshotId snapshot = {};  // the latest complete one; empty: none yet
  cloud::SnapshotId backup = {};    // in progress, of a volume in use
  cloud::SnapshotId final_copy = {};  // in progress, of the volume of an instance that has ended
  cloud::ImageId image = {};          // of a root: made of `snapshot` for the next launch
  cloud::VolumeSpec like = {};        // the volume's settings, for the next one
};

// One of the instances that the group wants. It outlives its EC2 instances. In a group without
// persistence it has no volumes and no address, and the API does not show it.
struct Member {
  std::string id;  // "ssi-0123abcd"
  StatefulState state = StatefulState::kResume;
  cloud::InstanceId instance;          // the current one; empty: none
  std::set<cloud::InstanceId> former;  // replaced ones that have not ended yet
  std::vector<Device> devices;
  std::set<cloud::VolumeId> obsolete;  // deleted as soon as they are free
  std::set<cloud::SnapshotId> obsolete_snapshots;
  std::string private_ip;  // of the first instance
  std::string zone;        // of the last instance
  bool on_demand = false;  // by the group's risk
  // The next launch waits for the end of the former instance and for a snapshot made after it.
  bool after_end = false;
  Deallocation deallocation;
  Time created_at{};
  std::optional<Time> launched_at;
};

// A line of the group's log (GET …/logs).
struct LogLine {
  Time at{};
  std::string severity;  // "INFO", "WARN", "ERROR"
  std::string message;
  std::string resource;  // an instance, a volume; empty: the group
  std::string event;     // its type in GET …/events; empty: it is not among them
};

struct Group {
  std::string id;  // "sig-0123abcd"
  GroupSpec spec;
  std::vector<Member*> members;  // in the order of their creation, without deallocated ones
  std::vector<LogLine> log;
  Time created_at{}, updated_at{};
  bool deleted = false;
};

}  // namespace sim::elastigroup
