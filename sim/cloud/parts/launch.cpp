// From a launch specification to a pending instance.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/instances.h"

namespace sim::cloud {
namespace {

constexpr int kInstancesInOneCall = 1000;

// Unique for the first 4000 instances of each of 16 zones, in the default VPC's 172.31.0.0/16.
std::string private_ip(std::size_t zone, std::size_t number) {
  constexpr std::size_t kHosts = 250;
  return fmt::format("172.31.{}.{}", zone % 16 * 16 + number / kHosts % 16, 4 + number % kHosts);
}

}  // namespace

InstanceId Instances::launch(const LaunchSpec& spec, Lifecycle lifecycle,
                             const Requester& requester, Reservation& reservation) {
  const auto& zones = context_.config.availability_zones;
  const auto zone = std::ranges::find(zones, spec.availability_zone) - zones.begin();
  const InstanceId id = context_.ids.instance();
  Instance& instance = table_[id];
  if (reservation.id.empty()) reservation.id = {"r-" + id.value.substr(2)};
  instance.id = id;
  instance.reservation = reservation.id;
  instance.launch_index = reservation.launched++;
  instance.spec = spec;
  instance.spec.subnet_id = default_subnet_id(context_.streams, spec.availability_zone);
  if (launches_require_imds_v2_) instance.spec.imds_v2_required = true;
  instance.lifecycle = lifecycle;
  instance.private_ip = spec.private_ip.empty()
                            ? private_ip(static_cast<std::size_t>(zone), launch_order_.size())
                            : spec.private_ip;
  instance.tags = spec.tags;
  instance.disable_api_termination = spec.disable_api_termination;
  if (!requester.fleet.empty())
    instance.tags["aws:ec2spot:fleet-request-id"] = requester.fleet.value;
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

InstanceId Instances::launch_spot(const LaunchSpec& spec, const Requester& requester,
                                  Reservation& reservation) {
  const InstanceId id = launch(spec, Lifecycle::kSpot, requester, reservation);
  capacity_.take(pool_of(spec));
  watch_price(own(id));
  return id;
}

std::vector<InstanceId> Instances::run_on_demand(const LaunchSpec& requested, int count) {
  if (count < 1)
    throw ApiError("InvalidParameterValue",
                   fmt::format("Value ({}) for parameter maxCount is invalid.", count));
  if (count > kInstancesInOneCall)
    throw ApiError("InstanceLimitExceeded",
                   fmt::format("You have requested more instances ({}) than your current instance "
                               "limit of {} allows.",
                               count, kInstancesInOneCall));
  LaunchSpec spec = requested;
  checks_.complete(spec);
  // Where EC2 may choose the zone, this cloud takes the first one.
  if (spec.availability_zone.empty())
    spec.availability_zone = context_.config.availability_zones.at(0);
  std::vector<InstanceId> launched;
  Reservation reservation;
  for (int i = 0; i < count; ++i)
    launched.push_back(launch(spec, Lifecycle::kOnDemand, {}, reservation));
  return launched;
}

}  // namespace sim::cloud
