// From a launch specification to a pending instance.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/parts/state.h"

namespace sim::cloud {
namespace {

constexpr std::size_t kUserDataLimit = 16 * 1024;
constexpr int kInstancesInOneCall = 1000;

// Unique for the first 4000 instances of each of 16 zones, in the default VPC's 172.31.0.0/16.
std::string private_ip(std::size_t zone, std::size_t number) {
  constexpr std::size_t kHosts = 250;
  return fmt::format("172.31.{}.{}", zone % 16 * 16 + number / kHosts % 16, 4 + number % kHosts);
}

}  // namespace

void Cloud::State::check_and_complete(LaunchSpec& spec) {
  const auto& zones = config.availability_zones;
  if (!market.on_demand_price(spec.instance_type))
    throw ApiError("InvalidParameterValue",
                   "Invalid value '" + spec.instance_type + "' for InstanceType.");
  const bool any_image = config.any_image || !spec.managed_by.empty();
  if (!any_image && !spec.image_id.starts_with("ami-"))
    throw ApiError("InvalidAMIID.Malformed",
                   "Invalid id: \"" + spec.image_id + "\" (expecting \"ami-...\")");
  if (!any_image && !config.images.contains(spec.image_id))
    throw ApiError("InvalidAMIID.NotFound",
                   "The image id '[" + spec.image_id + "]' does not exist");
  if (spec.user_data.size() > kUserDataLimit)
    throw ApiError("InvalidParameterValue", "User data is limited to 16384 bytes");
  if (!spec.availability_zone.empty() &&
      std::ranges::find(zones, spec.availability_zone) == zones.end())
    throw ApiError("InvalidParameterValue",
                   "Invalid availability zone: [" + spec.availability_zone + "]");
  if (!spec.subnet_id.empty()) {
    const auto zone = std::ranges::find_if(
        zones, [&](const auto& z) { return default_subnet_id(streams, z) == spec.subnet_id; });
    if (zone == zones.end())
      throw ApiError("InvalidSubnetID.NotFound",
                     "The subnet ID '" + spec.subnet_id + "' does not exist");
    if (!spec.availability_zone.empty() && spec.availability_zone != *zone)
      throw ApiError("InvalidParameterValue", "The subnet '" + spec.subnet_id + "' is in " + *zone +
                                                  ", not in " + spec.availability_zone);
    spec.availability_zone = *zone;
  }
  check_block_devices(spec);
  check_tags(spec.tags, {});
  check_metadata_tags(spec, spec.tags);
}

void Cloud::State::check_and_complete_spot(LaunchSpec& spec) {
  if (spec.disable_api_termination)
    throw ApiError("InvalidParameterCombination",
                   "You can't enable termination protection for Spot Instances.");
  check_tags(spec.request_tags, {});
  check_and_complete(spec);
}

InstanceId Cloud::State::launch(const LaunchSpec& spec, Lifecycle lifecycle,
                                const SpotRequestId& request, const FleetId& fleet,
                                Reservation& reservation) {
  const auto& zones = config.availability_zones;
  const auto zone = std::ranges::find(zones, spec.availability_zone) - zones.begin();
  const InstanceId id = ids.instance();
  Instance& instance = instances[id];
  if (reservation.id.empty()) reservation.id = {"r-" + id.value.substr(2)};
  instance.id = id;
  instance.reservation = reservation.id;
  instance.launch_index = reservation.launched++;
  instance.spec = spec;
  instance.spec.subnet_id = default_subnet_id(streams, spec.availability_zone);
  if (launches_require_imds_v2) instance.spec.imds_v2_required = true;
  instance.lifecycle = lifecycle;
  instance.private_ip = private_ip(static_cast<std::size_t>(zone), launch_order.size());
  instance.tags = spec.tags;
  instance.disable_api_termination = spec.disable_api_termination;
  if (!fleet.empty()) instance.tags["aws:ec2spot:fleet-request-id"] = fleet.value;
  instance.spot_request = request;
  instance.fleet = fleet;
  instance.launched_at = now();
  launch_order.push_back(id);

  tell_new(instance);
  tagging.announce(id.value, instance.tags);
  const bool managed = !spec.managed_by.empty();
  if (!managed) make_launch_volumes(instance);

  InstanceWork& work = instance_work[id];
  Duration pending = draw(config.durations.instance_pending, "instance-pending", id.value);
  if (managed) pending += draw(config.durations.boot, "boot", id.value);
  work.start = simulation.after(pending, [this, &instance] { become_running(instance); });
  if (lifecycle == Lifecycle::kSpot) {
    const Pool pool{spec.instance_type, spec.availability_zone};
    ++spot_in_use[pool];
    watch_price(instance);
  }
  return id;
}

void Cloud::State::watch_price(Instance& instance) {
  InstanceWork& work = instance_work[instance.id];
  cancel(work.price_watch);
  const Pool pool{instance.spec.instance_type, instance.spec.availability_zone};
  if (const auto above = market.first_above(pool, max_price(instance.spec), now()))
    work.price_watch = simulation.at(
        *above, [this, &instance] { interrupt(instance, Notice::kGiven, "by-price"); });
}

std::vector<InstanceId> Cloud::run_instances(const LaunchSpec& requested, int count) {
  State& s = *state_;
  if (count < 1)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value ({}) for parameter maxCount is invalid.", count));
  if (count > kInstancesInOneCall)
    throw ApiError("InstanceLimitExceeded",
                   fmt::format("You have requested more instances ({}) than your current instance "
                               "limit of {} allows.",
                               count, kInstancesInOneCall));
  LaunchSpec spec = requested;
  s.check_and_complete(spec);
  // Where EC2 may choose, it takes the first zone here.
  if (spec.availability_zone.empty()) spec.availability_zone = s.config.availability_zones.at(0);
  std::vector<InstanceId> launched;
  State::Reservation reservation;
  for (int i = 0; i < count; ++i)
    launched.push_back(s.launch(spec, Lifecycle::kOnDemand, {}, {}, reservation));
  return launched;
}

}  // namespace sim::cloud
