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

Cloud::State::State(Simulation& sim, EventLog& l, const Streams& st, market::Market& m, Host& h,
                    Config c)
    : simulation(sim),
      log(l),
      streams(st),
      market(m),
      host(h),
      config(std::move(c)),
      ledger(l),
      ids(st) {
  SIM_CHECK(config.durations.snapshot_mib_per_second > 0);
  market.subscribe([this](const Pool& pool) { pool_changed(pool); });
}

void Cloud::State::transition(std::string_view resource, std::string_view from, std::string_view to,
                              Json fields, Json more) {
  SIM_CHECK(allowed(resource, from, to));
  fields["from"] = from;
  fields["to"] = to;
  fields.update(more);
  log.append(now(), std::string{resource} + ".state", std::move(fields));
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
