#include "sim/cloud/cloud.h"

#include <algorithm>
#include <utility>

#include "sim/cloud/state.h"

namespace sim::cloud {

Cloud::Cloud(Simulation& simulation, const Streams& streams, market::Market& market, Host& host,
             Config config)
    : state_(std::make_unique<State>(simulation, streams, market, host, std::move(config))) {}
Cloud::~Cloud() = default;

void Cloud::observe(Observer& observer) { state_->observers.push_back(&observer); }
void Cloud::set_pace(Pace pace) { state_->pace = std::move(pace); }

const std::map<InstanceId, Instance>& Cloud::instances() const { return state_->instances; }
const std::map<VolumeId, Volume>& Cloud::volumes() const { return state_->volumes; }
const std::map<SnapshotId, Snapshot>& Cloud::snapshots() const { return state_->snapshots; }
const std::map<SpotRequestId, SpotRequest>& Cloud::spot_requests() const {
  return state_->spot_requests;
}
const std::map<FleetId, Fleet>& Cloud::fleets() const {
  for (auto& [id, fleet] : state_->fleets) state_->drop_lost(fleet);
  return state_->fleets;
}
const std::map<LaunchTemplateId, LaunchTemplate>& Cloud::launch_templates() const {
  return state_->launch_templates;
}
const std::set<VolumeId>& Cloud::attached_to(const InstanceId& instance) const {
  static const std::set<VolumeId> none;
  const auto found = state_->attached.find(instance);
  return found == state_->attached.end() ? none : found->second;
}
const std::set<std::string>& Cloud::tagged(const std::string& key, const std::string& value) const {
  static const std::set<std::string> none;
  const auto found = state_->tagged.find({key, value});
  return found == state_->tagged.end() ? none : found->second;
}
const Config& Cloud::config() const { return state_->config; }
market::Market& Cloud::market() { return state_->market; }
Simulation& Cloud::simulation() { return state_->simulation; }
const Ledger& Cloud::ledger() const { return state_->ledger; }

std::string Cloud::default_subnet(const std::string& availability_zone) const {
  return default_subnet_id(state_->streams, availability_zone);
}

const Instance& Cloud::instance(const InstanceId& id) const { return state_->find(id); }
const Volume& Cloud::volume(const VolumeId& id) const { return state_->find(id); }
const Snapshot& Cloud::snapshot(const SnapshotId& id) const { return state_->find(id); }
const Fleet& Cloud::fleet(const FleetId& id) const {
  Fleet& fleet = state_->find(id);
  state_->drop_lost(fleet);
  return fleet;
}

bool Cloud::shows(const Instance& instance) const { return state_->shows(instance); }
std::string Cloud::console(const InstanceId& id, std::size_t most) const {
  return state_->host.console(id, most);
}
const Instance& Cloud::shown(const InstanceId& id) const { return state_->shown(id); }
const Volume& Cloud::shown(const VolumeId& id) const { return state_->shown(id); }
const Snapshot& Cloud::shown(const SnapshotId& id) const { return state_->shown(id); }
const SpotRequest& Cloud::shown(const SpotRequestId& id) const { return state_->shown(id); }
const Fleet& Cloud::shown(const FleetId& id) const { return fleet(id); }
const LaunchTemplate& Cloud::shown(const LaunchTemplateId& id) const { return state_->find(id); }

bool Cloud::anything_running() const {
  const State& s = *state_;
  const auto live = [](const auto& entry) {
    return entry.second.state != InstanceState::kTerminated;
  };
  const auto open = [](const auto& entry) { return entry.second.state == SpotRequestState::kOpen; };
  const auto may_launch = [&](const auto& entry) {
    const auto& [id, fleet] = entry;
    const bool replaces = fleet.type == "maintain" && fleet.state == FleetState::kActive &&
                          !s.fleet_work.at(id).unnoticed.empty();
    return replaces || s.owed(fleet) > 0;
  };
  return std::ranges::any_of(s.instances, live) || std::ranges::any_of(s.spot_requests, open) ||
         std::ranges::any_of(s.fleets, may_launch);
}

}  // namespace sim::cloud
