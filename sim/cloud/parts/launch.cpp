// Launches: turns a launch specification into a pending instance.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/instances.h"

namespace sim::cloud {
namespace {

constexpr int kInstancesInOneCall = 1000;

// The address of a managed instance in its service's network. It is unique for the first 4000
// instances of each of 16 zones.
std::string managed_ip(std::size_t zone, std::size_t number) {
  constexpr std::size_t kHosts = 250;
  return fmt::format("172.31.{}.{}", zone % 16 * 16 + number / kHosts % 16, 4 + number % kHosts);
}

// EC2 User Guide, "Tag restrictions": the tag that a fleet gives its instances.
const char* fleet_tag(const FleetId& fleet) {
  return fleet.value.starts_with("fleet-") ? "aws:ec2:fleet-id" : "aws:ec2spot:fleet-request-id";
}

}  // namespace

InstanceId Instances::launch(const LaunchSpec& spec, Lifecycle lifecycle,
                             const Requester& requester, Reservation& reservation) {
  const InstanceId id = context_.ids.instance();
  Instance made;
  made.id = id;
  made.spec = spec;
  if (launches_require_imds_v2_) made.spec.imds_v2_required = true;
  made.lifecycle = lifecycle;
  join_network(made);  // a launch that fails leaves no instance
  if (reservation.id.empty()) reservation.id = {"r-" + id.value.substr(2)};
  made.reservation = reservation.id;
  made.launch_index = reservation.launched++;
  Instance& instance = table_[id] = std::move(made);
  instance.tags = spec.tags;
  instance.disable_api_termination = spec.disable_api_termination;
  if (!requester.fleet.empty()) instance.tags[fleet_tag(requester.fleet)] = requester.fleet.value;
  instance.tags.insert(spec.service_tags.begin(), spec.service_tags.end());
  launch_templates_.add_tags(spec, instance.tags);
  instance.spot_request = requester.spot_request;
  instance.fleet = requester.fleet;
  instance.launched_at = context_.now();
  launch_order_.push_back(id);

  context_.tell_new(instance);
  tagging_.announce(id.value, instance.tags);
  notify(&InstanceListener::launched, instance);

  const Durations& durations = context_.config.durations;
  Duration pending = context_.draw(durations.instance_pending, "instance-pending", id.value);
  if (!spec.managed_by.empty()) pending += context_.draw(durations.boot, "boot", id.value);
  work_[id].start =
      context_.simulation.after(pending, [this, &instance] { become_running(instance); });
  return id;
}

void Instances::join_network(Instance& instance) {
  LaunchSpec& spec = instance.spec;
  const std::size_t number = launch_order_.size();
  if (!spec.managed_by.empty()) {
    const auto& zones = context_.config.availability_zones;
    const auto zone = std::ranges::find(zones, spec.availability_zone) - zones.begin();
    instance.private_ip = managed_ip(static_cast<std::size_t>(zone), number);
    return;
  }
  if (spec.subnet_id.empty())
    spec.subnet_id = network_.subnets.default_of(spec.availability_zone)->id;
  const vpc::Interface& interface =
      network_.interfaces.attach({.instance = instance.id.value,
                                  .subnet = spec.subnet_id,
                                  .groups = spec.security_group_ids,
                                  .private_ip = spec.private_ip,
                                  .public_ip = spec.public_ip,
                                  .number = number,
                                  .now = context_.now(),
                                  .interface = spec.network_interface,
                                  .secondary_ips = spec.secondary_ips,
                                  .more_addresses = spec.more_addresses});
  spec.partition = network_.placement_groups.join(
      instance.id.value,
      {.group = spec.placement_group, .zone = spec.availability_zone, .partition = spec.partition});
  instance.private_ip = text(interface.private_ip);
}

InstanceId Instances::launch_spot(const LaunchSpec& spec, const Requester& requester,
                                  Reservation& reservation) {
  const InstanceId id = launch(spec, Lifecycle::kSpot, requester, reservation);
  capacity_.take(pool_of(spec));
  watch_price(own(id));
  return id;
}

InstanceId Instances::launch_on_demand(const LaunchSpec& spec, const FleetId& fleet) {
  Reservation own_reservation;
  const InstanceId id =
      launch(spec, Lifecycle::kOnDemand, {.spot_request = {}, .fleet = fleet}, own_reservation);
  capacity_.take_on_demand(spec);
  return id;
}

// Where EC2 may choose the zone, this cloud takes that of a cluster placement group, else the first
// one with capacity, else the first one.
std::string Instances::zone_on_demand(const LaunchSpec& spec, int least) const {
  const std::string of_group = network_.placement_groups.zone_of(spec.placement_group);
  if (!of_group.empty() && network_.has("", of_group, {})) return of_group;
  std::string first;
  for (const std::string& zone : context_.config.availability_zones) {
    if (spec.managed_by.empty() && !network_.has("", zone, {})) continue;
    if (first.empty()) first = zone;
    LaunchSpec there = spec;
    there.availability_zone = zone;
    if (capacity_.free_on_demand(there) >= least) return zone;
  }
  return first;
}

std::vector<InstanceId> Instances::run_on_demand(const LaunchSpec& requested, int least, int most) {
  if (most < 1)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value ({}) for parameter maxCount is invalid.", most));
  if (most > kInstancesInOneCall)
    throw ApiError("InstanceLimitExceeded",
                   fmt::format("You have requested more instances ({}) than your current instance "
                               "limit of {} allows.",
                               most, kInstancesInOneCall));
  LaunchSpec spec = requested;
  checks_.complete(spec);
  if (spec.availability_zone.empty()) spec.availability_zone = zone_on_demand(spec, least);
  const int count = std::min(most, capacity_.free_on_demand(spec));
  if (count < least) throw capacity_.on_demand_refusal(spec, least);
  if (capacity_.address_room(spec, spec.availability_zone) < count)
    throw ApiError("InsufficientFreeAddressesInSubnet",
                   "There are not enough free addresses in subnet '" + spec.subnet_id +
                       "' to satisfy the requested number of instances.");
  std::vector<InstanceId> launched;
  Reservation reservation;
  for (int i = 0; i < count; ++i) {
    launched.push_back(launch(spec, Lifecycle::kOnDemand, {}, reservation));
    capacity_.take_on_demand(spec);
  }
  return launched;
}

}  // namespace sim::cloud
