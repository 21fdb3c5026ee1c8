#include <utility>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "fakes/ec2/spot/fleet_parts.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::Fleet;
using sim::cloud::FleetChange;
using sim::cloud::FleetKind;
using sim::cloud::FleetState;

const Fleet& find_fleet(const Call& call, const std::string& id) {
  return call.cloud.shown(fleet_id(id));
}

api::List<aws::SpotFleetLaunchSpecification> launch_specifications(const Call& call,
                                                                   const Fleet& fleet) {
  api::List<aws::SpotFleetLaunchSpecification> all;
  for (const auto& spec : fleet.launch_specs) {
    auto& out = all.emplace_back();
    show_launch(out, call, spec);
    out.spot_price = shown_price(spec.max_price);
    if (!spec.tags.empty())
      out.tag_specifications.push_back(
          {.resource_type = "instance", .tags = shown_tags(spec.tags)});
    out.weighted_capacity = spec.weighted_capacity;
  }
  return all;
}

aws::LaunchTemplateOverrides shown_override(const sim::cloud::LaunchSpec& spec) {
  aws::LaunchTemplateOverrides out{.availability_zone = spec.availability_zone,
                                   .instance_type = spec.instance_type,
                                   .priority = spec.priority,
                                   .spot_price = shown_price(spec.max_price),
                                   .weighted_capacity = spec.weighted_capacity};
  if (!spec.subnet_id.empty()) out.subnet_id = spec.subnet_id;
  return out;
}

// The answer has one override for each pool in which the fleet may launch.
api::List<aws::LaunchTemplateConfig> launch_template_configs(const Fleet& fleet) {
  api::List<aws::LaunchTemplateConfig> configs;
  for (const auto& spec : fleet.launch_specs) {
    const std::string& id = spec.launch_template.value;
    const std::string& version = spec.launch_template_version;
    if (const auto* last =
            configs.empty() ? nullptr : &*configs.back().launch_template_specification;
        last == nullptr || last->launch_template_id != id || last->version != version)
      configs.push_back({.launch_template_specification = aws::FleetLaunchTemplateSpecification{
                             .launch_template_id = id, .version = version}});
    configs.back().overrides.push_back(shown_override(spec));
  }
  return configs;
}

bool is_of_templates(const Fleet& fleet) {
  return !fleet.launch_specs.empty() && !fleet.launch_specs.front().launch_template.empty();
}

aws::SpotFleetRequestConfigData shown_config(const Call& call, const Fleet& fleet) {
  aws::SpotFleetRequestConfigData out{
      .allocation_strategy = std::string(name(fleet.strategy)),
      .excess_capacity_termination_policy = fleet.keeps_excess ? "noTermination" : "default",
      .fulfilled_capacity = fleet.fulfilled_capacity,
      .iam_fleet_role = fleet.iam_fleet_role,
      .instance_interruption_behavior =
          fleet.launch_specs.empty()
              ? "terminate"
              : sim::cloud::interruption_behavior(fleet.launch_specs.front()),
      .replace_unhealthy_instances = fleet.replace_unhealthy,
      .spot_max_total_price = shown_price(fleet.spot_limits.max_total_price),
      .spot_price = shown_price(fleet.max_price),
      .target_capacity = static_cast<std::int64_t>(fleet.target_capacity),
      .terminate_instances_with_expiration = fleet.terminate_instances_with_expiration,
      .type = fleet.type};
  show_rebalance(out.spot_maintenance_strategies, fleet);
  if (fleet.on_demand_target > 0) {
    out.on_demand_allocation_strategy = fleet.on_demand_by_priority ? "prioritized" : "lowestPrice";
    out.on_demand_fulfilled_capacity = fleet.fulfilled_on_demand;
    out.on_demand_max_total_price = shown_price(fleet.on_demand_limits.max_total_price);
    out.on_demand_target_capacity = static_cast<std::int64_t>(fleet.on_demand_target);
  }
  if (fleet.strategy == sim::cloud::AllocationStrategy::kLowestPrice)
    out.instance_pools_to_use_count = fleet.pools;
  if (!fleet.client_token.empty()) out.client_token = fleet.client_token;
  if (!fleet.requested_tags.empty())
    out.tag_specifications.push_back(
        {.resource_type = "spot-fleet-request", .tags = shown_tags(fleet.requested_tags)});
  if (fleet.valid_from) out.valid_from = timestamp(*fleet.valid_from);
  if (fleet.valid_until) out.valid_until = timestamp(*fleet.valid_until);
  if (is_of_templates(fleet)) {
    out.launch_template_configs = launch_template_configs(fleet);
  } else {
    out.launch_specifications = launch_specifications(call, fleet);
  }
  return out;
}

// Error codes for one fleet of CancelSpotFleetRequests (EC2 API reference,
// CancelSpotFleetRequestsError).
std::string cancel_error(const ApiError& error) {
  if (error.code() == "InvalidSpotFleetRequestId.NotFound") return "fleetRequestIdDoesNotExist";
  if (error.code() == "InvalidSpotFleetRequestId.Malformed") return "fleetRequestIdMalformed";
  return "fleetRequestNotInCancellableState";
}

aws::SpotFleetRequestConfig shown_request(const Call& call, const Fleet& fleet) {
  aws::SpotFleetRequestConfig out{.create_time = timestamp(fleet.created_at),
                                  .spot_fleet_request_config = shown_config(call, fleet),
                                  .spot_fleet_request_id = fleet.id.value,
                                  .spot_fleet_request_state = std::string(name(fleet.state)),
                                  .tags = shown_tags(fleet.tags)};
  if (fleet.state != FleetState::kCancelled) out.activity_status = activity_of(fleet);
  return out;
}

template <class Record>
aws::HistoryRecord shown_record(const Record& record) {
  aws::EventInformation information{.event_sub_type = record.event_sub_type};
  if (!record.description.empty()) information.event_description = record.description;
  if (!record.instance.empty()) information.instance_id = record.instance.value;
  return {.event_information = information,
          .event_type = record.event_type,
          .timestamp = timestamp(record.at)};
}

}  // namespace

aws::DescribeSpotFleetRequestsResponse describe_spot_fleet_requests(
    Call& call, const aws::DescribeSpotFleetRequestsRequest& request) {
  const Page page(request, {.of = "fleets", .low = 1, .high = 1000, .most = 1000});
  std::vector<const Fleet*> fleets;
  for (const auto& id : request.spot_fleet_request_ids) fleets.push_back(&find_fleet(call, id));
  if (request.spot_fleet_request_ids.empty()) {
    for (const auto& [id, fleet] : call.cloud.fleets())
      if (fleet.kind == FleetKind::kSpotFleet) fleets.push_back(&fleet);
  }
  aws::DescribeSpotFleetRequestsResponse response{.next_token = page.cut(fleets)};
  response.spot_fleet_request_configs.give();
  for (const auto* fleet : fleets)
    response.spot_fleet_request_configs.push_back(shown_request(call, *fleet));
  return response;
}

aws::DescribeSpotFleetInstancesResponse describe_spot_fleet_instances(
    Call& call, const aws::DescribeSpotFleetInstancesRequest& request) {
  const Page page(request, {.of = "fleet-instances", .low = 1, .high = 1000, .most = 1000});
  const Fleet& fleet =
      find_fleet(call, required(request.spot_fleet_request_id, "SpotFleetRequestId"));
  auto instances = fleet.instances;
  aws::DescribeSpotFleetInstancesResponse response{.next_token = page.cut(instances),
                                                   .spot_fleet_request_id = fleet.id.value};
  response.active_instances.give();
  for (const auto& member : instances) {
    const auto& instance = call.cloud.instance(member);
    aws::ActiveInstance shown{.instance_health = "healthy",
                              .instance_id = instance.id.value,
                              .instance_type = instance.spec.instance_type};
    if (!instance.spot_request.empty())
      shown.spot_instance_request_id = instance.spot_request.value;
    response.active_instances.push_back(std::move(shown));
  }
  return response;
}

aws::DescribeSpotFleetRequestHistoryResponse describe_spot_fleet_request_history(
    Call& call, const aws::DescribeSpotFleetRequestHistoryRequest& request) {
  const Page page(request, {.of = "fleet-history", .low = 1, .high = 1000, .most = 1000});
  const sim::Time start = time(*request.start_time);
  const Fleet& fleet =
      find_fleet(call, required(request.spot_fleet_request_id, "SpotFleetRequestId"));
  auto records = fleet.history;
  std::erase_if(records, [&](const auto& r) {
    return r.at < start || (request.event_type && r.event_type != *request.event_type);
  });
  aws::DescribeSpotFleetRequestHistoryResponse response{.last_evaluated_time = timestamp(call.now),
                                                        .next_token = page.cut(records),
                                                        .spot_fleet_request_id = fleet.id.value,
                                                        .start_time = timestamp(start)};
  response.history_records.give();
  for (const auto& record : records) response.history_records.push_back(shown_record(record));
  return response;
}

aws::CancelSpotFleetRequestsResponse cancel_spot_fleet_requests(
    Call& call, const aws::CancelSpotFleetRequestsRequest& request) {
  check_given(request.spot_fleet_request_ids, "SpotFleetRequestId");
  aws::CancelSpotFleetRequestsResponse response;
  response.successful_fleet_requests.give();
  response.unsuccessful_fleet_requests.give();
  for (const auto& id : request.spot_fleet_request_ids) {
    try {
      const auto cancelled =
          call.cloud.cancel_spot_fleet(find_fleet(call, id).id, *request.terminate_instances);
      response.successful_fleet_requests.push_back(
          {.current_spot_fleet_request_state = std::string(name(cancelled.after)),
           .previous_spot_fleet_request_state = std::string(name(cancelled.before)),
           .spot_fleet_request_id = id});
    } catch (const ApiError& error) {
      response.unsuccessful_fleet_requests.push_back(
          {.error = aws::CancelSpotFleetRequestsError{.code = cancel_error(error),
                                                      .message = error.what()},
           .spot_fleet_request_id = id});
    }
  }
  return response;
}

aws::ModifySpotFleetRequestResponse modify_spot_fleet_request(
    Call& call, const aws::ModifySpotFleetRequestRequest& request) {
  if (!request.target_capacity) throw missing("TargetCapacity");
  check_range(request.target_capacity, "TargetCapacity", 0, 10000);
  const Fleet& fleet =
      find_fleet(call, required(request.spot_fleet_request_id, "SpotFleetRequestId"));
  FleetChange change{.target_capacity = static_cast<double>(*request.target_capacity)};
  change.on_demand_target = read_on_demand_target(
      request.on_demand_target_capacity.value_or(static_cast<std::int64_t>(fleet.on_demand_target)),
      "OnDemandTargetCapacity", change.target_capacity);
  if (change.on_demand_target > 0 && !is_of_templates(fleet))
    throw unsupported("OnDemandTargetCapacity of a fleet without launch templates");
  const auto& policy = request.excess_capacity_termination_policy;
  if (policy)
    change.keeps_excess = choice(policy, "ExcessCapacityTerminationPolicy",
                                 {"default", "noTermination"}) == "noTermination";
  call.cloud.modify_fleet(fleet.id, change);
  return {.return_ = true};
}

}  // namespace fakes::ec2
