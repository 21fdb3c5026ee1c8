// AWS::EC2::SpotFleet.
#include "api/ec2.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::spot_fleet {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"Id"};
constexpr std::string_view kConfiguration = "SpotFleetRequestConfigData";
constexpr std::string_view kUpdated[] = {kConfiguration};

std::string state_of(const ResourceCall& call) {
  const auto response =
      call.ask<ec2::DescribeSpotFleetRequests>({.spot_fleet_request_ids = {call.id()}});
  return response.spot_fleet_request_configs.at(0).spot_fleet_request_state.value();
}

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  properties.ignore({"Tags"});
  properties.rename(kConfiguration, "SpotFleetRequestConfig");
  return call.ask<ec2::RequestSpotFleet>(properties.request<ec2::RequestSpotFleet>())
      .spot_fleet_request_id.value();
}

bool is_ready(const ResourceCall& call) {
  const std::string state = state_of(call);
  if (state == "failed" || state.starts_with("cancelled"))
    throw sim::stacks::invalid("Spot fleet " + call.id() + " is " + state);
  return state == "active";
}

// If only the target capacity changes, the fleet is modified in place.
void update(const ResourceCall& call, const Json& before) {
  constexpr const char* kTarget = "TargetCapacity";
  Json now = call.resource.properties.at(std::string(kConfiguration));
  Json old = before.at(std::string(kConfiguration));
  const Json target = now[kTarget];
  now.erase(kTarget);
  old.erase(kTarget);
  if (now != old)
    throw not_simulated(call.resource.type,
                        "A change of SpotFleetRequestConfigData other than of "
                        "TargetCapacity");
  const Json request = {{"SpotFleetRequestId", call.id()}, {kTarget, target}};
  call.ask<ec2::ModifySpotFleetRequest>(
      request_of<ec2::ModifySpotFleetRequest>(call.resource, request));
}

void remove(const ResourceCall& call) {
  if (state_of(call).starts_with("cancelled")) return;
  call.ask<ec2::CancelSpotFleetRequests>(
      {.spot_fleet_request_ids = {call.id()}, .terminate_instances = true});
}

bool is_gone(const ResourceCall& call) {
  const std::string state = state_of(call);
  return state == "cancelled" || state == "failed";
}

}  // namespace

const Type kType{
    .traits = {.type = "AWS::EC2::SpotFleet", .attributes = kAttributes, .updated = kUpdated},
    .create = create,
    .remove = remove,
    .is_ready = is_ready,
    .is_gone = is_gone,
    .attribute = physical_id,
    .update = update,
    .changes = kUpdated};

}  // namespace fakes::cloudformation::spot_fleet
