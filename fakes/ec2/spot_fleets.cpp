#include "fakes/ec2/actions.h"
#include "fakes/ec2/launch.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::Fleet;
using sim::cloud::FleetState;

const Fleet& find_fleet(const Call& call, const std::string& text) {
  const auto found = call.cloud.fleets().find(fleet_id(text));
  if (found == call.cloud.fleets().end()) {
    throw ApiError("InvalidSpotFleetRequestId.NotFound",
                   "The spot fleet request ID '" + text + "' does not exist");
  }
  return found->second;
}

// "0.918": as prices stand in a request.
void add_price(Node out, const char* name, const std::optional<sim::market::Usd>& price) {
  if (price) add_text(out, name, sim::market::format_usd(*price));
}

void add_launch_specifications(Node out, const Call& call, const Fleet& fleet) {
  Node specs = out.append_child("launchSpecifications");
  for (const auto& spec : fleet.launch_specs) {
    Node item = specs.append_child("item");
    add_launch(item, call, spec);
    add_price(item, "spotPrice", spec.max_price);
    add_number(item, "weightedCapacity", spec.weighted_capacity);
  }
}

// With an override for each pool that the fleet may launch in.
void add_launch_template_configs(Node out, const Fleet& fleet) {
  Node configs = out.append_child("launchTemplateConfigs"), overrides;
  sim::cloud::LaunchTemplateId last;
  for (const auto& spec : fleet.launch_specs) {
    if (spec.launch_template != last) {
      last = spec.launch_template;
      Node config = configs.append_child("item");
      Node specification = config.append_child("launchTemplateSpecification");
      add_text(specification, "launchTemplateId", last.value);
      add_text(specification, "version", "1");
      overrides = config.append_child("overrides");
    }
    Node item = overrides.append_child("item");
    add_text(item, "instanceType", spec.instance_type);
    add_price(item, "spotPrice", spec.max_price);
    if (!spec.subnet_id.empty()) add_text(item, "subnetId", spec.subnet_id);
    add_text(item, "availabilityZone", spec.availability_zone);
    add_number(item, "weightedCapacity", spec.weighted_capacity);
    if (spec.priority) add_number(item, "priority", *spec.priority);
  }
}

void add_config(Node out, const Call& call, const Fleet& fleet) {
  add_text(out, "allocationStrategy", std::string(name(fleet.strategy)));
  if (!fleet.client_token.empty()) add_text(out, "clientToken", fleet.client_token);
  add_text(out, "excessCapacityTerminationPolicy", "default");
  add_number(out, "fulfilledCapacity", fleet.fulfilled_capacity);
  add_text(out, "iamFleetRole", fleet.iam_fleet_role);
  const bool of_templates =
      !fleet.launch_specs.empty() && !fleet.launch_specs.front().launch_template.empty();
  of_templates ? add_launch_template_configs(out, fleet)
               : add_launch_specifications(out, call, fleet);
  add_price(out, "spotPrice", fleet.max_price);
  add_integer(out, "targetCapacity", static_cast<std::int64_t>(fleet.target_capacity));
  add_flag(out, "terminateInstancesWithExpiration", fleet.terminate_instances_with_expiration);
  add_text(out, "type", fleet.type);
  add_flag(out, "replaceUnhealthyInstances", fleet.replace_unhealthy);
  add_text(out, "instanceInterruptionBehavior", "terminate");
}

// The fleet's progress as the console shows it.
const char* activity(const Fleet& fleet) {
  if (fleet.state == FleetState::kCancelledTerminating) return "pending_termination";
  if (fleet.state == FleetState::kFailed) return "error";
  return fleet.fulfilled_capacity >= fleet.target_capacity ? "fulfilled" : "pending_fulfillment";
}

// The error codes of a single fleet in CancelSpotFleetRequests (EC2 API reference,
// CancelSpotFleetRequestsError).
std::string cancel_error(const ApiError& error) {
  if (error.code() == "InvalidSpotFleetRequestId.NotFound") return "fleetRequestIdDoesNotExist";
  if (error.code() == "InvalidSpotFleetRequestId.Malformed") return "fleetRequestIdMalformed";
  return "fleetRequestNotInCancellableState";
}

}  // namespace

void describe_spot_fleet_requests(Call& call) {
  const auto ids = call.in.list("SpotFleetRequestId");
  const Page page(call.in, 1, 1000);
  call.start();

  std::vector<const Fleet*> fleets;
  for (const auto& id : ids) fleets.push_back(&find_fleet(call, id));
  if (ids.empty()) {
    for (const auto& [id, fleet] : call.cloud.fleets()) fleets.push_back(&fleet);
  }
  page.cut(fleets, call.out);
  Node set = call.out.append_child("spotFleetRequestConfigSet");
  for (const auto* fleet : fleets) {
    Node item = set.append_child("item");
    add_text(item, "spotFleetRequestId", fleet->id.value);
    add_text(item, "spotFleetRequestState", std::string(name(fleet->state)));
    if (fleet->state != FleetState::kCancelled) add_text(item, "activityStatus", activity(*fleet));
    add_config(item.append_child("spotFleetRequestConfig"), call, *fleet);
    add_time(item, "createTime", fleet->created_at);
    add_tags(item, fleet->tags);
  }
}

void describe_spot_fleet_instances(Call& call) {
  const std::string id = call.in.required("SpotFleetRequestId");
  const Page page(call.in, 1, 1000);
  call.start();

  const Fleet& fleet = find_fleet(call, id);
  auto instances = fleet.instances;
  page.cut(instances, call.out);
  add_text(call.out, "spotFleetRequestId", fleet.id.value);
  Node set = call.out.append_child("activeInstanceSet");
  for (const auto& member : instances) {
    const auto& instance = call.cloud.instance(member);
    Node item = set.append_child("item");
    add_text(item, "instanceId", instance.id.value);
    add_text(item, "instanceType", instance.spec.instance_type);
    add_text(item, "spotInstanceRequestId", instance.spot_request.value);
    add_text(item, "instanceHealth", "healthy");
  }
}

void describe_spot_fleet_request_history(Call& call) {
  const std::string id = call.in.required("SpotFleetRequestId");
  call.in.required("StartTime");
  const auto start = *call.in.time("StartTime");
  const auto type = call.in.text("EventType");
  if (type) {
    call.in.choice("EventType", {"instanceChange", "fleetRequestChange", "error", "information"});
  }
  const Page page(call.in, 1, 1000, 1000);
  call.start();

  const Fleet& fleet = find_fleet(call, id);
  auto records = fleet.history;
  std::erase_if(records,
                [&](const auto& r) { return r.at < start || (type && r.event_type != *type); });
  page.cut(records, call.out);
  add_text(call.out, "spotFleetRequestId", fleet.id.value);
  add_time(call.out, "startTime", start);
  add_time(call.out, "lastEvaluatedTime", call.now);
  Node set = call.out.append_child("historyRecordSet");
  for (const auto& record : records) {
    Node item = set.append_child("item");
    add_time(item, "timestamp", record.at);
    add_text(item, "eventType", record.event_type);
    Node information = item.append_child("eventInformation");
    add_text(information, "eventSubType", record.event_sub_type);
    if (!record.description.empty()) {
      add_text(information, "eventDescription", record.description);
    }
    if (!record.instance.empty()) add_text(information, "instanceId", record.instance.value);
  }
}

void cancel_spot_fleet_requests(Call& call) {
  const auto ids = call.in.required_list("SpotFleetRequestId");
  call.in.required("TerminateInstances");
  const bool terminate = *call.in.boolean("TerminateInstances");
  call.start();

  Node done = call.out.append_child("successfulFleetRequestSet");
  Node failed = call.out.append_child("unsuccessfulFleetRequestSet");
  for (const auto& id : ids) {
    try {
      const auto cancelled = call.cloud.cancel_spot_fleet(find_fleet(call, id).id, terminate);
      Node item = done.append_child("item");
      add_text(item, "spotFleetRequestId", id);
      add_text(item, "currentSpotFleetRequestState", std::string(name(cancelled.after)));
      add_text(item, "previousSpotFleetRequestState", std::string(name(cancelled.before)));
    } catch (const ApiError& error) {
      Node item = failed.append_child("item");
      add_text(item, "spotFleetRequestId", id);
      Node why = item.append_child("error");
      add_text(why, "code", cancel_error(error));
      add_text(why, "message", error.what());
    }
  }
}

void modify_spot_fleet_request(Call& call) {
  const std::string id = call.in.required("SpotFleetRequestId");
  const auto target = call.in.required_integer("TargetCapacity", 0, 10000);
  call.in.choice("ExcessCapacityTerminationPolicy", {"default"});
  if (call.in.integer("OnDemandTargetCapacity").value_or(0) != 0) {
    call.in.refuse("OnDemandTargetCapacity");
  }
  call.in.refuse("LaunchTemplateConfig");
  call.in.accept("Context");
  call.start();

  call.cloud.modify_spot_fleet(find_fleet(call, id).id, static_cast<double>(target));
  add_flag(call.out, "return", true);
}

}  // namespace fakes::ec2
