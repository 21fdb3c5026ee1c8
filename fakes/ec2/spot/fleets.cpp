// EC2 fleets: descriptions, their instances and history, and deletion.
#include <algorithm>
#include <any>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "fakes/ec2/spot/ec2_fleets.h"
#include "fakes/ec2/spot/fleet_parts.h"
#include "fakes/ec2/spot/instance_requirements.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::Fleet;
using sim::cloud::FleetKind;
using sim::cloud::LaunchSpec;
using sim::cloud::Lifecycle;

// Limits of one DeleteFleets request.
constexpr std::size_t kMostInstantFleets = 25, kMostOtherFleets = 100;

// Converts a spot fleet's states and events into EC2's terms for EC2 fleets.
std::string fleet_word(std::string_view word) {
  constexpr std::string_view kCancelled = "cancelled";
  if (!word.starts_with(kCancelled)) return std::string(word);
  return "deleted" + std::string(word.substr(kCancelled.size()));
}

std::string state_of(const Fleet& fleet) { return fleet_word(name(fleet.state)); }

std::string event_type(std::string_view of_spot_fleet) {
  if (of_spot_fleet == "fleetRequestChange") return "fleet-change";
  return of_spot_fleet == "instanceChange" ? "instance-change" : "service-error";
}

const char* word_of(Lifecycle lifecycle) {
  return lifecycle == Lifecycle::kSpot ? "spot" : "on-demand";
}

aws::LaunchTemplateAndOverridesResponse shown_launch(const LaunchSpec& spec) {
  aws::LaunchTemplateAndOverridesResponse out{
      .launch_template_specification =
          aws::FleetLaunchTemplateSpecification{.launch_template_id = spec.launch_template.value,
                                                .version = spec.launch_template_version},
      .overrides = aws::FleetLaunchTemplateOverrides{.availability_zone = spec.availability_zone,
                                                     .instance_type = spec.instance_type,
                                                     .max_price = shown_price(spec.max_price),
                                                     .priority = spec.priority,
                                                     .weighted_capacity = spec.weighted_capacity}};
  if (!spec.subnet_id.empty()) out.overrides->subnet_id = spec.subnet_id;
  return out;
}

api::List<aws::FleetLaunchTemplateConfig> shown_configs(const aws::CreateFleetRequest& asked) {
  api::List<aws::FleetLaunchTemplateConfig> configs;
  for (const auto& in : asked.launch_template_configs) {
    const auto& named = *in.launch_template_specification;
    auto& out = configs.emplace_back();
    out.launch_template_specification =
        aws::FleetLaunchTemplateSpecification{.launch_template_id = named.launch_template_id,
                                              .launch_template_name = named.launch_template_name,
                                              .version = named.version};
    out.overrides.give();
    for (const auto& one : in.overrides) {
      auto& each = out.overrides.emplace_back();
      each.availability_zone = one.availability_zone;
      each.image_id = one.image_id;
      if (one.instance_requirements)
        each.instance_requirements = shown_requirements(*one.instance_requirements);
      each.instance_type = one.instance_type;
      each.max_price = one.max_price;
      each.priority = one.priority;
      each.subnet_id = one.subnet_id;
      each.weighted_capacity = one.weighted_capacity;
    }
  }
  return configs;
}

aws::TargetCapacitySpecification shown_targets(const Fleet& fleet,
                                               const aws::CreateFleetRequest& asked) {
  return {
      .default_target_capacity_type =
          asked.target_capacity_specification->default_target_capacity_type.value_or("on-demand"),
      .on_demand_target_capacity = static_cast<std::int64_t>(fleet.on_demand_target),
      .spot_target_capacity =
          static_cast<std::int64_t>(fleet.target_capacity - fleet.on_demand_target),
      .total_target_capacity = static_cast<std::int64_t>(fleet.target_capacity)};
}

template <class Shown, class Asked>
void show_limits(Shown& out, const api::Opt<Asked>& asked) {
  if (!asked) return;
  out.max_total_price = asked->max_total_price;
  out.single_instance_type = asked->single_instance_type;
  out.single_availability_zone = asked->single_availability_zone;
  out.min_target_capacity = asked->min_target_capacity;
}

aws::SpotOptions shown_spot_options(const Fleet& fleet, const aws::CreateFleetRequest& asked) {
  aws::SpotOptions out{.allocation_strategy = "lowest-price",
                       .instance_interruption_behavior = "terminate"};
  if (asked.spot_options && asked.spot_options->instance_interruption_behavior)
    out.instance_interruption_behavior = asked.spot_options->instance_interruption_behavior;
  if (asked.spot_options && asked.spot_options->allocation_strategy)
    out.allocation_strategy = asked.spot_options->allocation_strategy;
  if (out.allocation_strategy == "lowest-price") out.instance_pools_to_use_count = fleet.pools;
  show_rebalance(out.maintenance_strategies, fleet);
  show_limits(out, asked.spot_options);
  return out;
}

aws::OnDemandOptions shown_on_demand_options(const Fleet& fleet,
                                             const aws::CreateFleetRequest& asked) {
  aws::OnDemandOptions out{.allocation_strategy =
                               fleet.on_demand_by_priority ? "prioritized" : "lowest-price"};
  show_limits(out, asked.on_demand_options);
  return out;
}

aws::FleetData shown(const Call& call, const Fleet& fleet) {
  const auto& asked = std::any_cast<const aws::CreateFleetRequest&>(fleet.asked);
  aws::FleetData out{
      .activity_status = activity_of(fleet),
      .create_time = timestamp(fleet.created_at),
      .excess_capacity_termination_policy = fleet.keeps_excess ? "no-termination" : "termination",
      .fleet_id = fleet.id.value,
      .fleet_state = state_of(fleet),
      .fulfilled_capacity = fleet.fulfilled_capacity,
      .fulfilled_on_demand_capacity = fleet.fulfilled_on_demand,
      .launch_template_configs = shown_configs(asked),
      .on_demand_options = shown_on_demand_options(fleet, asked),
      .replace_unhealthy_instances = fleet.replace_unhealthy,
      .spot_options = shown_spot_options(fleet, asked),
      .tags = shown_tags(fleet.tags),
      .target_capacity_specification = shown_targets(fleet, asked),
      .terminate_instances_with_expiration = fleet.terminate_instances_with_expiration,
      .type = fleet.type,
      .valid_from = asked.valid_from,
      .valid_until = asked.valid_until};
  if (!fleet.client_token.empty()) out.client_token = fleet.client_token;
  if (fleet.type != "instant") return out;
  out.errors = shown_errors<aws::DescribeFleetError>(fleet);
  out.instances = shown_instances<aws::DescribeFleetsInstances>(call, fleet);
  return out;
}

std::string with_hyphens(std::string text) {
  std::ranges::replace(text, '_', '-');
  return text;
}

const FilterRow<Fleet> kFleetFilters[] = {
    {"activity-status",
     [](const Fleet& f, Backend&) { return std::vector{with_hyphens(activity_of(f))}; }},
    {"excess-capacity-termination-policy",
     [](const Fleet& f, Backend&) {
       return std::vector<std::string>{f.keeps_excess ? "false" : "true"};
     }},
    {"fleet-state",
     [](const Fleet& f, Backend&) { return std::vector{with_hyphens(state_of(f))}; }},
    {"replace-unhealthy-instances",
     [](const Fleet& f, Backend&) {
       return std::vector<std::string>{f.replace_unhealthy ? "true" : "false"};
     }},
    {"type", [](const Fleet& f, Backend&) { return std::vector{f.type}; }},
};

const FilterRow<sim::cloud::Instance> kMemberFilters[] = {
    {"instance-type", [](const sim::cloud::Instance& instance, Backend&) {
       return std::vector{instance.spec.instance_type};
     }}};

void refuse_instant(const Fleet& fleet, std::string_view action) {
  if (fleet.type == "instant")
    throw ApiError("UnsupportedOperation", std::string(action) +
                                               " does not support fleets of type instant; use "
                                               "DescribeFleets with the fleet's ID.");
}

// Error codes for one fleet of DeleteFleets (EC2 API reference, DeleteFleetError).
std::string delete_error(const ApiError& error) {
  if (error.code() == "InvalidFleetId.NotFound") return "fleetIdDoesNotExist";
  if (error.code() == "InvalidFleetId.Malformed") return "fleetIdMalformed";
  if (error.code() == "fleetRequestNotInCancellableState") return "fleetNotInDeletableState";
  return error.code();
}

void check_count(const Call& call, const std::vector<std::string>& ids) {
  const auto instant = std::ranges::count_if(ids, [&](const std::string& id) {
    const auto& all = call.cloud.fleets();
    const auto found = all.find(sim::cloud::FleetId{id});
    return found != all.end() && found->second.type == "instant";
  });
  if (static_cast<std::size_t>(instant) > kMostInstantFleets ||
      ids.size() - static_cast<std::size_t>(instant) > kMostOtherFleets)
    throw ApiError("InvalidParameterValue",
                   "At most 25 fleets of type instant and 100 fleets of other types can be deleted "
                   "in a single request.");
}

aws::DeleteFleetSuccessItem delete_fleet(const Call& call, const std::string& id, bool terminate) {
  const Fleet& fleet = find_ec2_fleet(call, id);
  if (fleet.type == "instant" && !terminate)
    throw ApiError("NoTerminateInstancesNotSupported",
                   "NoTerminateInstances option is not supported for instant fleet");
  const auto deleted = call.cloud.cancel_spot_fleet(fleet.id, terminate);
  return {.current_fleet_state = fleet_word(name(deleted.after)),
          .fleet_id = id,
          .previous_fleet_state = fleet_word(name(deleted.before))};
}

}  // namespace

const Fleet& find_ec2_fleet(const Call& call, const std::string& id) {
  return call.cloud.shown(ec2_fleet_id(id));
}

template <class Error>
api::List<Error> shown_errors(const Fleet& fleet) {
  api::List<Error> errors;
  errors.give();
  for (const auto& error : fleet.errors)
    errors.push_back({.error_code = error.code,
                      .error_message = error.message,
                      .launch_template_and_overrides = shown_launch(error.spec),
                      .lifecycle = word_of(error.lifecycle)});
  return errors;
}

template api::List<aws::CreateFleetError> shown_errors(const Fleet&);

template <class Instances>
api::List<Instances> shown_instances(const Call& call, const Fleet& fleet) {
  api::List<Instances> groups;
  groups.give();
  std::vector<const sim::cloud::Instance*> firsts;  // of each group
  for (const auto& id : fleet.instances) {
    const auto& instance = call.cloud.instance(id);
    const auto same = std::ranges::find_if(firsts, [&](const sim::cloud::Instance* first) {
      const LaunchSpec &a = first->spec, &b = instance.spec;
      return first->lifecycle == instance.lifecycle && a.instance_type == b.instance_type &&
             a.availability_zone == b.availability_zone && a.subnet_id == b.subnet_id;
    });
    if (same == firsts.end()) {
      firsts.push_back(&instance);
      auto& group = groups.emplace_back();
      group.instance_ids.push_back(id.value);
      group.instance_type = instance.spec.instance_type;
      group.launch_template_and_overrides = shown_launch(instance.spec);
      group.lifecycle = word_of(instance.lifecycle);
    } else {
      groups[static_cast<std::size_t>(same - firsts.begin())].instance_ids.push_back(id.value);
    }
  }
  return groups;
}

template api::List<aws::CreateFleetInstance> shown_instances(const Call&, const Fleet&);

aws::DescribeFleetsResult describe_fleets(Call& call, const aws::DescribeFleetsRequest& request) {
  const Page page(request, {.of = "ec2-fleets", .low = 1, .high = 1000, .most = 1000});
  const Filters<Fleet> filters(request.filters, kFleetFilters);
  std::vector<const Fleet*> fleets;
  for (const auto& id : request.fleet_ids) fleets.push_back(&find_ec2_fleet(call, id));
  if (request.fleet_ids.empty())
    for (const auto& [id, fleet] : call.cloud.fleets())
      if (fleet.kind == FleetKind::kEc2Fleet && fleet.type != "instant") fleets.push_back(&fleet);
  std::erase_if(fleets, [&](const Fleet* fleet) { return !filters.match(*fleet, call.backend); });
  aws::DescribeFleetsResult response{.next_token = page.cut(fleets)};
  response.fleets.give();
  for (const Fleet* fleet : fleets) response.fleets.push_back(shown(call, *fleet));
  return response;
}

aws::DescribeFleetInstancesResult describe_fleet_instances(
    Call& call, const aws::DescribeFleetInstancesRequest& request) {
  const Page page(request, {.of = "ec2-fleet-instances", .low = 1, .high = 1000, .most = 1000});
  const Filters<sim::cloud::Instance> filters(request.filters, kMemberFilters);
  const Fleet& fleet = find_ec2_fleet(call, required(request.fleet_id, "FleetId"));
  refuse_instant(fleet, "DescribeFleetInstances");
  auto instances = fleet.instances;
  std::erase_if(instances, [&](const auto& id) {
    return !filters.match(call.cloud.instance(id), call.backend);
  });
  aws::DescribeFleetInstancesResult response{.fleet_id = fleet.id.value,
                                             .next_token = page.cut(instances)};
  response.active_instances.give();
  for (const auto& id : instances) {
    const auto& instance = call.cloud.instance(id);
    auto& out = response.active_instances.emplace_back();
    out.instance_health = "healthy";
    out.instance_id = id.value;
    out.instance_type = instance.spec.instance_type;
    if (!instance.spot_request.empty()) out.spot_instance_request_id = instance.spot_request.value;
  }
  return response;
}

aws::DescribeFleetHistoryResult describe_fleet_history(
    Call& call, const aws::DescribeFleetHistoryRequest& request) {
  const Page page(request, {.of = "ec2-fleet-history", .low = 1, .high = 1000, .most = 1000});
  const sim::Time start = time(*request.start_time);
  const Fleet& fleet = find_ec2_fleet(call, required(request.fleet_id, "FleetId"));
  refuse_instant(fleet, "DescribeFleetHistory");
  auto records = fleet.history;
  std::erase_if(records, [&](const auto& record) {
    return record.at < start ||
           (request.event_type && event_type(record.event_type) != *request.event_type);
  });
  aws::DescribeFleetHistoryResult response{.fleet_id = fleet.id.value,
                                           .last_evaluated_time = timestamp(call.now),
                                           .next_token = page.cut(records),
                                           .start_time = request.start_time};
  response.history_records.give();
  for (const auto& record : records) {
    aws::EventInformation information{.event_sub_type = fleet_word(record.event_sub_type)};
    if (!record.description.empty()) information.event_description = record.description;
    if (!record.instance.empty()) information.instance_id = record.instance.value;
    response.history_records.push_back({.event_information = information,
                                        .event_type = event_type(record.event_type),
                                        .timestamp = timestamp(record.at)});
  }
  return response;
}

aws::DeleteFleetsResult delete_fleets(Call& call, const aws::DeleteFleetsRequest& request) {
  check_given(request.fleet_ids, "FleetId");
  check_count(call, request.fleet_ids);
  aws::DeleteFleetsResult response;
  response.successful_fleet_deletions.give();
  response.unsuccessful_fleet_deletions.give();
  for (const auto& id : request.fleet_ids) {
    try {
      response.successful_fleet_deletions.push_back(
          delete_fleet(call, id, request.terminate_instances.value()));
    } catch (const ApiError& error) {
      response.unsuccessful_fleet_deletions.push_back(
          {.error = aws::DeleteFleetError{.code = delete_error(error), .message = error.what()},
           .fleet_id = id});
    }
  }
  return response;
}

}  // namespace fakes::ec2
