#include "sim/cloud/state.h"

#include <utility>

#include "sim/kernel/check.h"

namespace sim::cloud {
namespace {

template <class Id, class T>
T& look_up(std::map<Id, T>& table, const Id& id, const std::string& code, const std::string& what) {
  const auto found = table.find(id);
  if (found == table.end())
    throw ApiError(code, "The " + what + " '" + id.value + "' does not exist");
  return found->second;
}

}  // namespace

Cloud::State::State(Simulation& sim, const Streams& st, market::Market& m, Host& h, Config c)
    : simulation(sim), streams(st), market(m), host(h), config(std::move(c)), ids(st) {
  SIM_CHECK(config.durations.snapshot_mib_per_second > 0);
  market.subscribe([this](const Pool& pool) { pool_changed(pool); });
}

Duration Cloud::State::draw(Range range, std::string_view name, const std::string& id) const {
  return streams.stream(name, id).between(range.low, range.high);
}

void Cloud::State::cancel(std::optional<EventId>& event) {
  if (event) simulation.cancel(*event);
  event.reset();
}

Instance& Cloud::State::find(const InstanceId& id) {
  return look_up(instances, id, "InvalidInstanceID.NotFound", "instance ID");
}

Volume& Cloud::State::find(const VolumeId& id) {
  Volume& volume = look_up(volumes, id, "InvalidVolume.NotFound", "volume");
  if (volume.state == VolumeState::kDeleted)
    throw ApiError("InvalidVolume.NotFound", "The volume '" + id.value + "' does not exist.");
  return volume;
}

Snapshot& Cloud::State::find(const SnapshotId& id) {
  Snapshot& snapshot = look_up(snapshots, id, "InvalidSnapshot.NotFound", "snapshot");
  if (snapshot.deleted_at)
    throw ApiError("InvalidSnapshot.NotFound", "The snapshot '" + id.value + "' does not exist.");
  return snapshot;
}

SpotRequest& Cloud::State::find(const SpotRequestId& id) {
  return look_up(spot_requests, id, "InvalidSpotInstanceRequestID.NotFound",
                 "spot instance request ID");
}

Fleet& Cloud::State::find(const FleetId& id) {
  return look_up(fleets, id, "InvalidSpotFleetRequestId.NotFound", "spot fleet request ID");
}
LaunchTemplate& Cloud::State::find(const LaunchTemplateId& id) {
  return look_up(launch_templates, id, "InvalidLaunchTemplateId.NotFound", "launch template ID");
}

}  // namespace sim::cloud
