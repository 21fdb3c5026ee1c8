#include "sim/faults/kinds.h"

#include <algorithm>
#include <charconv>

#include "fakes/front.h"

namespace sim::faults {

const std::vector<const Kind*>& kinds() {
  static const std::vector<const Kind*> kAll = [] {
    std::vector<const Kind*> all;
    for (const auto file :
         {instance_faults(), customer_faults(), maintenance_faults(), market_faults(), api_faults(),
          metadata_faults(), network_faults(), storage_faults(), guest_faults()})
      for (const Kind& kind : file) all.push_back(&kind);
    return all;
  }();
  return kAll;
}

const Kind* find_kind(std::string_view name) {
  const auto found = std::ranges::find(kinds(), name, &Kind::name);
  return found == kinds().end() ? nullptr : *found;
}

const std::set<std::string>& known_actions() {
  static const std::set<std::string> kServed = fakes::served_actions();
  return kServed;
}

std::optional<std::size_t> first_refused(const Plan& plan, const guest::FaultTarget& guests) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const auto needs = find_kind(plan[i].kind)->needs;
    if (needs && !guests.can(*needs)) return i;
  }
  return {};
}

const cloud::Instance* struck_instance(const Arguments& arguments, const Strike& strike,
                                       const Targets& targets) {
  const auto& instances = targets.cloud.instances();
  if (const auto* nth = arguments.find<std::int64_t>("instance")) {
    const auto place = static_cast<std::size_t>(*nth);
    if (place > targets.launched.size()) return nullptr;
    return &instances.at(targets.launched[place - 1]);
  }
  const auto named = instances.find(cloud::InstanceId{strike.machine});
  if (named != instances.end()) return &named->second;
  for (auto id = targets.launched.rbegin(); id != targets.launched.rend(); ++id)
    if (instances.at(*id).state == cloud::InstanceState::kRunning) return &instances.at(*id);
  return nullptr;
}

const cloud::Volume* struck_volume(const Strike& strike, const Targets& targets) {
  const auto& volumes = targets.cloud.volumes();
  const auto named = volumes.find(cloud::VolumeId{strike.volume});
  if (named != volumes.end()) return &named->second;
  const cloud::Volume* newest = nullptr;
  for (const auto& [id, volume] : volumes)
    if (!volume.root && cloud::Cloud::shows(volume) && (!newest || volume.number > newest->number))
      newest = &volume;
  return newest;
}

const cloud::Snapshot* struck_snapshot(const Strike& strike, const Targets& targets) {
  const auto& snapshots = targets.cloud.snapshots();
  const auto named = snapshots.find(cloud::SnapshotId{strike.snapshot});
  if (named != snapshots.end()) return &named->second;
  const cloud::Snapshot* newest = nullptr;
  for (const auto& [id, snapshot] : snapshots)
    if (cloud::Cloud::shows(snapshot) && (!newest || snapshot.started_at > newest->started_at))
      newest = &snapshot;
  return newest;
}

void tell_of_calls(Targets& targets, Duration lasts) {
  targets.guests.descriptions_changed();
  if (lasts > Duration{})
    targets.simulation.after(lasts, [&guests = targets.guests] { guests.descriptions_changed(); });
}

std::vector<market::Pool> struck_pools(const Arguments& arguments, const Targets& targets) {
  const auto* const pool = arguments.find<market::Pool>("pool");
  const auto* const zone = arguments.find<std::string>("zone");
  const auto* const type = arguments.find<std::string>("type");
  std::vector<market::Pool> struck;
  for (const market::Pool& candidate : targets.cloud.market().pools())
    if ((!pool || candidate == *pool) && (!zone || candidate.availability_zone == *zone) &&
        (!type || candidate.instance_type == *type))
      struck.push_back(candidate);
  return struck;
}

}  // namespace sim::faults
