#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/instances.h"
#include "fakes/ec2/launch.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;

// Spot or on-demand; the maximum price goes to `spec`.
bool read_spot(const Parameters& in, sim::cloud::LaunchSpec& spec) {
  if (!in.has("InstanceMarketOptions")) return false;
  const Parameters market = in.structure("InstanceMarketOptions");
  market.choice("MarketType", {"spot"});
  const Parameters options = market.structure("SpotOptions");
  // A persistent request must stop or hibernate, which is not modelled.
  options.choice("SpotInstanceType", {"one-time"});
  options.choice("InstanceInterruptionBehavior", {"terminate"});
  options.refuse("BlockDurationMinutes");
  options.refuse("ValidUntil");
  spec.max_price = options.price("MaxPrice");
  return true;
}

}  // namespace

void run_instances(Call& call) {
  const auto most = call.in.required_integer("MaxCount", 1, 1000);
  const auto least = call.in.required_integer("MinCount", 1, 1000);
  if (least > most) {
    throw ApiError("InvalidParameterCombination",
                   fmt::format("You cannot specify MinCount={} with MaxCount={}", least, most));
  }
  for (const char* name : {"LaunchTemplate", "HibernationOptions", "PrivateIpAddress",
                           "Ipv6AddressCount", "Ipv6Address"}) {
    call.in.refuse(name);
  }
  for (const char* name : {"ClientToken", "CreditSpecification", "CpuOptions", "AdditionalInfo",
                           "CapacityReservationSpecification", "EnclaveOptions",
                           "PrivateDnsNameOptions", "MaintenanceOptions"}) {
    call.in.accept(name);
  }
  if (call.in.boolean("DisableApiTermination").value_or(false)) {
    call.in.refuse("DisableApiTermination");
  }
  call.in.choice("InstanceInitiatedShutdownBehavior", {"terminate"});  // stopping is not modelled
  auto specs = read_launch(call, call.in,
                           {.network_interfaces = "NetworkInterface",
                            .security_group_ids = "SecurityGroupId",
                            .security_group_names = "SecurityGroup"});
  if (specs.size() != 1) {
    throw ApiError("InvalidParameterValue", "RunInstances takes one Availability Zone or subnet.");
  }
  specs[0].imds_v2_required = read_v2_required(call.in);
  specs[0].tags = read_tag_specification(call.in, "instance", "TagSpecification",
                                         {"volume", "network-interface"});
  const bool spot = read_spot(call.in, specs[0]);
  call.start();

  const auto launched = spot ? call.cloud.run_spot_instances(specs[0], static_cast<int>(least),
                                                             static_cast<int>(most))
                             : call.cloud.run_instances(specs[0], static_cast<int>(most));
  add_text(call.out, "reservationId", reservation_id(call.cloud.instance(launched.at(0))));
  add_text(call.out, "ownerId", call.cloud.config().account_id);
  call.out.append_child("groupSet");
  Node set = call.out.append_child("instancesSet");
  for (const auto& id : launched) {
    add_instance(set.append_child("item"), call, call.cloud.instance(id));
  }
}

}  // namespace fakes::ec2
