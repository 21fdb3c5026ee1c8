// AWS::EC2::EC2Fleet.
#include "api/ec2.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::ec2_fleet {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"FleetId"};
constexpr std::string_view kUpdated[] = {"Context", "ExcessCapacityTerminationPolicy",
                                         "TargetCapacitySpecification"};

std::string state_of(const ResourceCall& call) {
  return call.ask<ec2::DescribeFleets>({.fleet_ids = {call.id()}}).fleets.at(0).fleet_state.value();
}

std::string create(const ResourceCall& call) {
  return call.ask<ec2::CreateFleet>(call.properties().request<ec2::CreateFleet>()).fleet_id.value();
}

bool is_ready(const ResourceCall& call) {
  const std::string state = state_of(call);
  if (state == "failed" || state.starts_with("deleted"))
    throw sim::stacks::invalid("EC2 Fleet " + call.id() + " is " + state);
  return state == "active";
}

void update(const ResourceCall& call, const Json&) {
  Json request = {{"FleetId", call.id()}};
  for (const std::string_view name : kUpdated) {
    const auto property = call.resource.properties.find(std::string(name));
    if (property != call.resource.properties.end()) request[std::string(name)] = *property;
  }
  call.ask<ec2::ModifyFleet>(request_of<ec2::ModifyFleet>(call.resource, request));
}

void remove(const ResourceCall& call) {
  if (state_of(call).starts_with("deleted")) return;
  call.ask<ec2::DeleteFleets>({.fleet_ids = {call.id()}, .terminate_instances = true});
}

bool is_gone(const ResourceCall& call) {
  const std::string state = state_of(call);
  return state == "deleted" || state == "failed";
}

}  // namespace

const Type kType{
    .traits = {.type = "AWS::EC2::EC2Fleet", .attributes = kAttributes, .updated = kUpdated},
    .create = create,
    .remove = remove,
    .is_ready = is_ready,
    .is_gone = is_gone,
    .attribute = physical_id,
    .update = update,
    .changes = kUpdated};

}  // namespace fakes::cloudformation::ec2_fleet
