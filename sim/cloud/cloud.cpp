#include "sim/cloud/cloud.h"

#include <algorithm>
#include <utility>

#include "sim/cloud/parts/lookup.h"
#include "sim/cloud/parts/state.h"

namespace sim::cloud {

Cloud::Cloud(Simulation& simulation, const Streams& streams, market::Market& market, Host& host,
             Config config)
    : state_(std::make_unique<State>(simulation, streams, market, host, std::move(config))) {}
Cloud::~Cloud() = default;

void Cloud::observe(Observer& observer) { state_->observers.push_back(&observer); }
void Cloud::set_pace(Pace pace) { state_->pace = std::move(pace); }

// ---- readers: of the present, or of a past that copy_records() kept

const std::map<InstanceId, Instance>& Cloud::instances() const {
  return state_->past ? state_->past->instances : state_->instances;
}
const std::map<VolumeId, Volume>& Cloud::volumes() const {
  return state_->past ? state_->past->volumes : state_->volumes.all();
}
const std::map<SnapshotId, Snapshot>& Cloud::snapshots() const {
  return state_->past ? state_->past->snapshots : state_->snapshots.all();
}
const std::map<SpotRequestId, SpotRequest>& Cloud::spot_requests() const {
  return state_->past ? state_->past->spot_requests : state_->spot_requests;
}
const std::map<FleetId, Fleet>& Cloud::fleets() const {
  if (state_->past) return state_->past->fleets;
  for (auto& [id, fleet] : state_->fleets) state_->drop_lost(fleet);
  return state_->fleets;
}
const std::map<LaunchTemplateId, LaunchTemplate>& Cloud::launch_templates() const {
  return state_->launch_templates.all();
}
const std::set<VolumeId>& Cloud::attached_to(const InstanceId& instance) const {
  static const std::set<VolumeId> none;
  const auto& index = state_->past ? state_->past->attached : state_->attached;
  const auto found = index.find(instance);
  return found == index.end() ? none : found->second;
}
const std::set<std::string>& Cloud::tagged(const std::string& key, const std::string& value) const {
  static const std::set<std::string> none;
  const auto& index = state_->past ? state_->past->tagged : state_->tagging.index();
  const auto found = index.find({key, value});
  return found == index.end() ? none : found->second;
}
const Config& Cloud::config() const { return state_->config; }
market::Market& Cloud::market() { return state_->market; }
Simulation& Cloud::simulation() { return state_->simulation; }
const Ledger& Cloud::ledger() const { return state_->bill.ledger(); }

std::string Cloud::default_subnet(const std::string& availability_zone) const {
  return default_subnet_id(state_->streams, availability_zone);
}

const Instance& Cloud::instance(const InstanceId& id) const { return look_up(instances(), id); }
const Volume& Cloud::volume(const VolumeId& id) const { return look_up(volumes(), id); }
const Snapshot& Cloud::snapshot(const SnapshotId& id) const { return look_up(snapshots(), id); }
const Fleet& Cloud::fleet(const FleetId& id) const {
  if (state_->past) return look_up(state_->past->fleets, id);
  Fleet& fleet = state_->find(id);
  state_->drop_lost(fleet);
  return fleet;
}

bool Cloud::shows(const Instance& instance) const { return state_->shows(instance); }
const Instance& Cloud::shown(const InstanceId& id) const {
  const Instance& found = instance(id);
  if (!shows(found)) throw not_found(id);
  return found;
}
const Volume& Cloud::shown(const VolumeId& id) const {
  const Volume& found = volume(id);
  if (!shows(found)) throw not_found(id);
  return found;
}
const Snapshot& Cloud::shown(const SnapshotId& id) const {
  const Snapshot& found = snapshot(id);
  if (!shows(found)) throw not_found(id);
  return found;
}
const SpotRequest& Cloud::shown(const SpotRequestId& id) const {
  const SpotRequest& found = look_up(spot_requests(), id);
  if (!shows(found)) throw not_found(id);
  return found;
}
const Fleet& Cloud::shown(const FleetId& id) const { return fleet(id); }
const LaunchTemplate& Cloud::shown(const LaunchTemplateId& id) const {
  return state_->launch_templates.find(id);
}

// ---- instances and what runs on them

std::string Cloud::console(const InstanceId& id, std::size_t most) const {
  return state_->host.console(id, most);
}
ContainerFolder Cloud::container_folder(const InstanceId& id) {
  return state_->host.container_folder(id);
}
bool Cloud::run_container(const InstanceId& id, const Container& container, ContainerHooks hooks) {
  const Instance& found = state_->find(id);
  return found.shutting_down_at || state_->host.run_container(found, container, std::move(hooks));
}
void Cloud::stop_container(const InstanceId& id, Duration grace) {
  if (!state_->find(id).shutting_down_at) state_->host.stop_container(id, grace);
}
void Cloud::release_managed(const std::vector<InstanceId>& ids) {
  for (const InstanceId& id : ids) state_->terminate_by_user(state_->find(id));
}
void Cloud::transferred(const InstanceId& from, const InstanceId& to, std::int64_t bytes) {
  for (const InstanceId& id : {from, to}) {
    Instance& found = state_->find(id);
    if (!found.terminated_at) found.regional_bytes += bytes;
  }
}

// ---- volumes and snapshots

VolumeId Cloud::create_volume(const VolumeSpec& spec) { return state_->volumes.create(spec); }
void Cloud::delete_volume(const VolumeId& id) { state_->volumes.remove(state_->volumes.shown(id)); }
SnapshotId Cloud::create_snapshot(const VolumeId& volume, const std::string& description,
                                  const Tags& tags) {
  return state_->snapshots.create(state_->volumes.shown(volume), description, tags);
}
void Cloud::delete_snapshot(const SnapshotId& id) {
  state_->snapshots.shown(id);
  state_->volumes.check_unused(id);
  state_->snapshots.remove(id);
}
void Cloud::fail_snapshot(const SnapshotId& id) { state_->snapshots.fail(id); }

// ---- launch templates

LaunchTemplateId Cloud::create_launch_template(const std::string& name, const LaunchSpec& data,
                                               const Tags& tags, const std::string& given,
                                               const std::string& description) {
  return state_->launch_templates.create(name, data, tags, given, description);
}
int Cloud::create_launch_template_version(const LaunchTemplateId& id, const LaunchSpec& data,
                                          const std::string& given,
                                          const std::string& description) {
  return state_->launch_templates.create_version(id, data, given, description);
}
const LaunchTemplateVersion& Cloud::launch_template_version(const LaunchTemplateId& id,
                                                            const std::string& version) const {
  return state_->launch_templates.version(id, version);
}
void Cloud::set_default_version(const LaunchTemplateId& id, const std::string& version) {
  state_->launch_templates.set_default_version(id, version);
}
void Cloud::delete_launch_template_version(const LaunchTemplateId& id, const std::string& version) {
  state_->launch_templates.remove_version(id, version);
}
void Cloud::delete_launch_template(const LaunchTemplateId& id) {
  state_->launch_templates.remove(id);
}

// ---- tags

void Cloud::create_tags(const std::vector<std::string>& resource_ids, const Tags& tags) {
  state_->tagging.create(resource_ids, tags);
}
void Cloud::delete_tags(const std::vector<std::string>& resource_ids,
                        const std::vector<std::string>& keys) {
  state_->tagging.remove(resource_ids, keys);
}

// ---- the bill

void Cloud::charge(LineItem item) { state_->bill.charge(std::move(item)); }
void Cloud::also_bill(std::function<std::vector<LineItem>()> charges) {
  state_->bill.add_service(std::move(charges));
}
Usd Cloud::cost_so_far() const {
  Usd sum = state_->bill.ledger().total();
  for (const LineItem& item : state_->open_items()) sum += item.cost;
  return sum;
}
void Cloud::close_books() { state_->bill.close(state_->open_items()); }

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
