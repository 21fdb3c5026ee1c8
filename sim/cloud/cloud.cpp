#include "sim/cloud/cloud.h"

#include <algorithm>
#include <utility>

#include "sim/cloud/parts/lookup.h"
#include "sim/cloud/parts/parts.h"

namespace sim::cloud {

Cloud::Cloud(Simulation& simulation, const Streams& streams, market::Market& market, Host& host,
             Config config)
    : parts_(std::make_unique<Parts>(simulation, streams, market, host, std::move(config))) {}
Cloud::~Cloud() = default;

void Cloud::observe(Observer& observer) { parts_->context.observers.push_back(&observer); }
void Cloud::set_pace(Pace pace) { parts_->context.pace = std::move(pace); }

// ---- readers: of the present, or of a past that copy_records() kept

const std::map<InstanceId, Instance>& Cloud::instances() const {
  return parts_->past ? parts_->past->instances : parts_->instances.all();
}
const std::map<VolumeId, Volume>& Cloud::volumes() const {
  return parts_->past ? parts_->past->volumes : parts_->volumes.all();
}
const std::map<SnapshotId, Snapshot>& Cloud::snapshots() const {
  return parts_->past ? parts_->past->snapshots : parts_->snapshots.all();
}
const std::map<SpotRequestId, SpotRequest>& Cloud::spot_requests() const {
  return parts_->past ? parts_->past->spot_requests : parts_->spot_requests.all();
}
const std::map<FleetId, Fleet>& Cloud::fleets() const {
  return parts_->past ? parts_->past->fleets : parts_->fleets.all();
}
const std::map<LaunchTemplateId, LaunchTemplate>& Cloud::launch_templates() const {
  return parts_->launch_templates.all();
}
const std::map<ImageId, OwnImage>& Cloud::images() const { return parts_->images.all(); }
const std::set<VolumeId>& Cloud::attached_to(const InstanceId& instance) const {
  static const std::set<VolumeId> none;
  const auto& index = parts_->past ? parts_->past->attached : parts_->attachments.index();
  const auto found = index.find(instance);
  return found == index.end() ? none : found->second;
}
const std::set<std::string>& Cloud::tagged(const std::string& key, const std::string& value) const {
  static const std::set<std::string> none;
  const auto& index = parts_->past ? parts_->past->tagged : parts_->tagging.index();
  const auto found = index.find({key, value});
  return found == index.end() ? none : found->second;
}
const Config& Cloud::config() const { return parts_->context.config; }
market::Market& Cloud::market() { return parts_->market; }
Simulation& Cloud::simulation() { return parts_->context.simulation; }
const Ledger& Cloud::ledger() const { return parts_->bill.ledger(); }

vpc::Network& Cloud::network() { return parts_->network; }

const Instance& Cloud::instance(const InstanceId& id) const { return look_up(instances(), id); }
const Volume& Cloud::volume(const VolumeId& id) const { return look_up(volumes(), id); }
const Snapshot& Cloud::snapshot(const SnapshotId& id) const { return look_up(snapshots(), id); }
const Fleet& Cloud::fleet(const FleetId& id) const {
  return parts_->past ? look_up(parts_->past->fleets, id) : parts_->fleets.find(id);
}

bool Cloud::shows(const Instance& instance) const { return parts_->instances.shows(instance); }
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
const OwnImage& Cloud::shown(const ImageId& id) const { return parts_->images.shown(id); }
const LaunchTemplate& Cloud::shown(const LaunchTemplateId& id) const {
  return parts_->launch_templates.find(id);
}

// ---- instances and what runs on them

std::vector<InstanceId> Cloud::run_instances(const LaunchSpec& spec, int least, int most) {
  return parts_->instances.run_on_demand(spec, least, most);
}
void Cloud::terminate_instances(const std::vector<InstanceId>& ids) {
  parts_->instances.terminate(ids);
}
void Cloud::reboot_instances(const std::vector<InstanceId>& ids) { parts_->instances.reboot(ids); }
void Cloud::stop_instances(const std::vector<InstanceId>& ids) {
  for (const InstanceId& id : ids)
    parts_->spot_requests.check_may_stop(parts_->instances.shown(id));
  parts_->instances.stop(ids);
}
void Cloud::hibernate_instances(const std::vector<InstanceId>& ids) {
  for (const InstanceId& id : ids)
    parts_->spot_requests.check_may_stop(parts_->instances.shown(id));
  parts_->instances.hibernate(ids);
}
void Cloud::start_instances(const std::vector<InstanceId>& ids) {
  parts_->instances.check_may_start_now(ids);
  parts_->instances.start(ids);
}
void Cloud::set_monitoring(const std::vector<InstanceId>& ids, bool detailed) {
  parts_->instances.set_monitoring(ids, detailed);
}
void Cloud::set_shutdown_behavior(const InstanceId& id, bool stops_itself) {
  if (stops_itself) parts_->spot_requests.check_may_stop(parts_->instances.shown(id));
  parts_->instances.set_shutdown_behavior(id, stops_itself);
}
void Cloud::set_instance_type(const InstanceId& id, const std::string& type) {
  parts_->instances.set_instance_type(id, type);
}
void Cloud::set_user_data(const InstanceId& id, const std::string& user_data) {
  parts_->instances.set_user_data(id, user_data);
}
void Cloud::set_ebs_optimized(const InstanceId& id, bool optimized) {
  parts_->instances.set_ebs_optimized(id, optimized);
}
void Cloud::set_disable_api_termination(const InstanceId& id, bool disabled) {
  parts_->instances.set_disable_api_termination(id, disabled);
}
void Cloud::set_security_groups(const InstanceId& id, const std::vector<std::string>& ids) {
  parts_->instances.set_security_groups(id, ids);
}
void Cloud::set_instance_profile(const InstanceId& id, const std::string& name_or_arn) {
  parts_->instances.set_instance_profile(id, name_or_arn);
}
void Cloud::set_metadata_options(const InstanceId& id, const LaunchSpec& options) {
  parts_->instances.set_metadata_options(id, options);
}
void Cloud::require_imds_v2(const InstanceId& id) { parts_->instances.require_imds_v2(id); }
void Cloud::require_imds_v2_of_launches() { parts_->instances.require_imds_v2_of_launches(); }
void Cloud::guest_powered_off(const InstanceId& id, bool machine_gone) {
  parts_->instances.power_off(id, machine_gone);
}
void Cloud::transferred(const InstanceId& from, const InstanceId& to, std::int64_t bytes) {
  for (const InstanceId& id : {from, to}) parts_->instances.add_regional_bytes(id, bytes);
}
std::string Cloud::console(const InstanceId& id, std::size_t most) const {
  return parts_->host.console(id, most);
}
ContainerFolder Cloud::container_folder(const InstanceId& id) {
  return parts_->host.container_folder(id);
}
bool Cloud::run_container(const InstanceId& id, const Container& container, ContainerHooks hooks) {
  const Instance& found = parts_->instances.find(id);
  return found.shutting_down_at || parts_->host.run_container(found, container, std::move(hooks));
}
void Cloud::stop_container(const InstanceId& id, Duration grace) {
  if (!parts_->instances.find(id).shutting_down_at) parts_->host.stop_container(id, grace);
}
void Cloud::release_managed(const std::vector<InstanceId>& ids) {
  for (const InstanceId& id : ids) parts_->instances.terminate_by_user(id);
}

// ---- interruptions and failures

void Cloud::interrupt(const InstanceId& id, Notice notice, const std::string& reason) {
  parts_->instances.interrupt(id, notice, reason);
}
void Cloud::interrupt_after(const InstanceId& id, Duration notice, const std::string& reason) {
  parts_->instances.interrupt_after(id, notice, reason);
}
void Cloud::fail_host(const InstanceId& id) { parts_->instances.fail_host(id); }
std::vector<InstanceId> Cloud::reclaim(const Pool& pool, Notice notice, const std::string& reason) {
  return parts_->instances.reclaim(pool, notice, reason);
}
void Cloud::recommend_rebalance(const InstanceId& id) { parts_->instances.recommend_rebalance(id); }
void Cloud::schedule_maintenance(const InstanceId& id, MaintenanceEvent event) {
  parts_->instances.schedule_maintenance(id, std::move(event));
}
void Cloud::set_price(const Pool& pool, Usd price) {
  parts_->market.set_price(pool, price);
  parts_->instances.watch_prices(pool);
}
void Cloud::raise_price(const Pool& pool, double factor, Time until) {
  parts_->market.raise_price(pool, factor, until);
  parts_->instances.watch_prices(pool);
}
void Cloud::lose_volumes(const InstanceId& id) { parts_->attachments.lose_volumes(id); }
void Cloud::fail_volume(const VolumeId& id) { parts_->attachments.fail_volume(id); }
void Cloud::fail_snapshot(const SnapshotId& id) { parts_->snapshots.fail(id); }

// ---- volumes and snapshots

VolumeId Cloud::create_volume(const VolumeSpec& spec) { return parts_->volumes.create(spec); }
void Cloud::delete_volume(const VolumeId& id) { parts_->volumes.remove(parts_->volumes.shown(id)); }
const VolumeModification& Cloud::modify_volume(const VolumeId& id, const VolumeChange& change) {
  return parts_->modifications.begin(id, change);
}
void Cloud::set_auto_enable_io(const VolumeId& id, bool enabled) {
  parts_->volumes.set_auto_enable_io(id, enabled);
}
Attachment Cloud::attach_volume(const VolumeId& volume, const InstanceId& instance,
                                const std::string& device) {
  return parts_->attachments.attach(volume, instance, device);
}
Attachment Cloud::detach_volume(const VolumeId& volume, const InstanceId& or_empty, bool force) {
  return parts_->attachments.detach(volume, or_empty, force);
}
void Cloud::set_delete_on_termination(const InstanceId& instance, const std::string& device,
                                      bool removed) {
  parts_->attachments.set_delete_on_termination(instance, device, removed);
}
SnapshotId Cloud::create_snapshot(const VolumeId& volume, const std::string& description,
                                  const Tags& tags) {
  return parts_->snapshots.create(parts_->volumes.shown(volume), description, tags);
}
void Cloud::join_snapshots(const std::vector<SnapshotId>& ids) { parts_->snapshots.join(ids); }
SnapshotId Cloud::copy_snapshot(Cloud& source, const SnapshotId& id, const SnapshotCopy& copy) {
  check_tags(copy.tags, {});
  return parts_->snapshots.copy(source.parts_->snapshots, id, copy);
}
void Cloud::delete_snapshot(const SnapshotId& id) {
  parts_->snapshots.shown(id);
  parts_->volumes.check_unused(id);
  parts_->images.check_unused(id);
  parts_->snapshots.remove(id);
}

void Cloud::permit_volumes(const SnapshotId& id, Permissions permissions) {
  parts_->snapshots.permit_volumes(id, std::move(permissions));
}

// ---- images

ImageId Cloud::create_image(const InstanceId& id, const ImageRequest& request) {
  return parts_->image_creation.create(id, request);
}
ImageId Cloud::register_image(OwnImage image) {
  return parts_->images.register_image(std::move(image));
}
ImageId Cloud::copy_image(Cloud& source, const std::string& image_id, const ImageRequest& request) {
  return parts_->images.copy(source.parts_->images, image_id, request);
}
void Cloud::deregister_image(const ImageId& id) { parts_->images.deregister(id); }
void Cloud::describe_image(const ImageId& id, const std::string& description) {
  parts_->images.describe(id, description);
}
void Cloud::permit_launches(const ImageId& id, Permissions permissions) {
  parts_->images.permit(id, std::move(permissions));
}

// ---- spot requests and fleets

Usd Cloud::max_price(const LaunchSpec& spec) const { return parts_->capacity.max_price(spec); }
int Cloud::free_spot_capacity(const Pool& pool) const { return parts_->capacity.free(pool); }
std::optional<Usd> Cloud::spot_price(const LaunchSpec& spec) const {
  return parts_->capacity.price(spec);
}
int Cloud::usable_spot_slots(const LaunchSpec& spec) const {
  return parts_->capacity.usable_slots(spec);
}
std::vector<SpotRequestId> Cloud::request_spot_instances(const LaunchSpec& spec, int count,
                                                         const std::string& type,
                                                         const Validity& validity) {
  return parts_->spot_requests.request(spec, count, type, validity);
}
std::vector<InstanceId> Cloud::run_spot_instances(const LaunchSpec& spec, int least, int most,
                                                  const std::string& type,
                                                  std::optional<Time> valid_until) {
  return parts_->spot_requests.run_now(spec, least, most, type, valid_until);
}
void Cloud::cancel_spot_request(const SpotRequestId& id) { parts_->spot_requests.cancel(id); }
FleetId Cloud::request_spot_fleet(const SpotFleetRequest& request) {
  return parts_->fleets.request(request);
}
FleetCancellation Cloud::cancel_spot_fleet(const FleetId& id, bool terminate_instances) {
  return parts_->fleets.cancel(id, terminate_instances);
}
void Cloud::expire_spot_fleet(const FleetId& id) { parts_->fleets.expire(id); }
void Cloud::set_fleet_permission(FleetPermission may_launch) {
  parts_->fleets.set_permission(std::move(may_launch));
}
void Cloud::modify_fleet(const FleetId& id, const FleetChange& change) {
  parts_->fleets.modify(id, change);
}
void Cloud::launch_one_more(const FleetId& id) { parts_->fleets.launch_one_more(id); }

// ---- launch templates

LaunchTemplateId Cloud::create_launch_template(const std::string& name, const LaunchSpec& data,
                                               const Tags& tags, const std::string& given,
                                               const std::string& description) {
  return parts_->launch_templates.create(name, data, tags, given, description);
}
int Cloud::create_launch_template_version(const LaunchTemplateId& id, const LaunchSpec& data,
                                          const std::string& given,
                                          const std::string& description) {
  return parts_->launch_templates.create_version(id, data, given, description);
}
const LaunchTemplateVersion& Cloud::launch_template_version(const LaunchTemplateId& id,
                                                            const std::string& version) const {
  return parts_->launch_templates.version(id, version);
}
void Cloud::set_default_version(const LaunchTemplateId& id, const std::string& version) {
  parts_->launch_templates.set_default_version(id, version);
}
void Cloud::delete_launch_template_version(const LaunchTemplateId& id, const std::string& version) {
  parts_->launch_templates.remove_version(id, version);
}
void Cloud::delete_launch_template(const LaunchTemplateId& id) {
  parts_->launch_templates.remove(id);
}

// ---- tags

void Cloud::create_tags(const std::vector<std::string>& resource_ids, const Tags& tags) {
  parts_->tagging.create(resource_ids, tags);
}
void Cloud::delete_tags(const std::vector<std::string>& resource_ids,
                        const std::vector<std::string>& keys) {
  parts_->tagging.remove(resource_ids, keys);
}

void Cloud::add_service_tags(const std::string& resource_id, const Tags& tags) {
  parts_->tagging.add_service_tags(resource_id, tags);
}
void Cloud::remove_service_tag(const std::string& resource_id, const std::string& key) {
  parts_->tagging.remove_service_tag(resource_id, key);
}

// ---- the bill

void Cloud::charge(LineItem item) { parts_->bill.charge(std::move(item)); }
void Cloud::also_bill(std::function<std::vector<LineItem>()> charges) {
  parts_->bill.add_service(std::move(charges));
}
Usd Cloud::cost_so_far() const {
  Usd sum = parts_->bill.ledger().total();
  for (const LineItem& item : parts_->open_items()) sum += item.cost;
  return sum;
}
void Cloud::close_books() { parts_->bill.close(parts_->open_items()); }

bool Cloud::anything_running() const {
  const auto live = [](const auto& entry) {
    return entry.second.state != InstanceState::kTerminated &&
           entry.second.state != InstanceState::kStopped;
  };
  return std::ranges::any_of(parts_->instances.all(), live) ||
         parts_->spot_requests.any_may_launch() || parts_->fleets.any_may_launch();
}

}  // namespace sim::cloud
