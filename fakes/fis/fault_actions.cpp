// Actions that inject faults of the catalogue (AWS FIS User Guide, "AWS FIS Actions reference").
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "api/ec2.h"
#include "api/form.h"
#include "base/text/comma_list.h"
#include "fakes/action.h"
#include "fakes/authorisation/permissions.h"
#include "fakes/ec2/launch_parameters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/fis/impaired_volumes.h"
#include "fakes/fis/parameters.h"
#include "fakes/front.h"
#include "fakes/interference.h"
#include "fakes/regions.h"
#include "sim/iam/caller.h"
#include "sim/vpc/network.h"

namespace fakes::fis {
namespace {

constexpr sim::Duration kLongest = std::chrono::hours{12};

sim::Duration lasts_in(const ActionParameters& parameters,
                       sim::Duration least = std::chrono::minutes{1}) {
  return duration_in(parameters, "duration", least, kLongest);
}

void inject(const StartedAction& action, InjectedFault fault) {
  action.faults.push_back(action.all.faults().inject(std::move(fault)));
}

// ---- errors of calls

void check_api_error(const ActionParameters& parameters) {
  lasts_in(parameters);
  percentage_in(parameters);
  const auto service = parameters.find("service");
  if (service == parameters.end() || service->second != "ec2")
    throw invalid_parameter("Parameter service: expected ec2");
  static const std::set<std::string> kServed = served_actions();
  for (const std::string& operation : list_in(parameters, "operations"))
    if (!kServed.contains(operation))
      throw invalid_parameter(
          fmt::format("Parameter operations: {} is not part of this simulated AWS", operation));
}

using ApiCall = Interference::Call;

// Whether a session of one of these roles calls. If IAM does not decide, an instance has the role
// of its profile, and the operator's calls count as calls of any role.
bool acts_for(const Backend& backend, const ApiCall& call, const Resources& roles) {
  const auto is_one = [&](const std::string& role) {
    return std::ranges::find(roles, role) != roles.end();
  };
  if (call.identity != nullptr)
    return call.identity->kind == sim::iam::Caller::Kind::kRole && is_one(call.identity->name);
  const sim::cloud::InstanceId caller{std::string(call.caller)};
  const auto& instances = region_with(backend, caller).cloud.instances();
  const auto instance = instances.find(caller);
  if (instance == instances.end()) return !backend.iam->decides();
  const std::string& profile_name = instance->second.spec.iam_instance_profile;
  if (profile_name.empty()) return false;
  const auto* const profile = backend.iam->find_instance_profile(profile_name);
  return profile != nullptr && is_one(profile->role);
}

struct InjectedError {
  const char* code;
  const char* message;
  std::int64_t status;
};

// EC2 API reference, "Error codes".
constexpr InjectedError kInternal{"InternalError", "An internal error has occurred.", 500},
    kThrottled{"RequestLimitExceeded", "Request limit exceeded.", 503},
    kUnavailable{"Unavailable", "The server is overloaded and can't handle the request.", 503},
    kNoCapacity{"InsufficientInstanceCapacity",
                "We currently do not have sufficient capacity in the Availability Zone you "
                "requested.",
                500};

// Fails a share of the roles' calls of an operation, of those that are `meant`.
void fail_calls_of(const StartedAction& action, const InjectedError& error,
                   const std::string& operation,
                   const std::function<bool(const ApiCall& call)>& meant) {
  const auto share = static_cast<std::uint64_t>(percentage_in(action.parameters));
  Experiments& all = action.all;
  inject(action, {.kind = "api-error",
                  .arguments = {{"code", error.code},
                                {"message", error.message},
                                {"status", error.status},
                                {"effect", false},
                                {"action", operation},
                                {"for", lasts_in(action.parameters)}},
                  .applies = [&all, roles = action.resources, share, meant](const ApiCall& call) {
                    return acts_for(all.backend, call, roles) && meant(call) &&
                           all.draws.below(100) < share;
                  }});
}

template <const InjectedError& error>
sim::Duration fail_calls(const StartedAction& action) {
  for (const std::string& operation : list_in(action.parameters, "operations"))
    fail_calls_of(action, error, operation, [](const ApiCall&) { return true; });
  return lasts_in(action.parameters);
}

// ---- volumes

void check_pause(const ActionParameters& parameters) {
  lasts_in(parameters, std::chrono::seconds{1});
}

sim::Duration pause_io(const StartedAction& action) {
  const sim::Duration lasts = lasts_in(action.parameters, std::chrono::seconds{1});
  for (const std::string& id : action.resources) {
    const auto& volume = action.all.backend.cloud.volume(sim::cloud::VolumeId{id});
    if (!volume.attachment) continue;
    inject(action, {.kind = "pause-volume-io",
                    .arguments = {{"for", lasts}, {"volume", id}},
                    .machine = volume.attachment->instance.value});
    action.struck.push_back(id);
  }
  if (action.faults.empty())
    throw invalid_parameter("The volumes are not attached to an instance.");
  return lasts;
}

// ---- capacity

void check_capacity(const ActionParameters& parameters) {
  lasts_in(parameters);
  list_in(parameters, "availabilityZoneIdentifiers");
  percentage_in(parameters);
}

using Zones = std::set<std::string>;

void add_zones(const Backend& backend, const std::string& zones, const std::string& subnets,
               Zones& all) {
  for (const std::string& zone : base::split_comma_list(zones)) all.insert(zone);
  const auto& table = backend.cloud.network().subnets.table;
  for (const std::string& id : base::split_comma_list(subnets))
    if (table.has(id)) all.insert(table.find(id).zone);
}

// The zones in which a launch with the parameters of RunInstances asks for capacity. Empty: it
// leaves the choice to EC2.
Zones zones_of_launch(const Backend& backend, const api::Parameters& parameters) {
  Zones zones;
  const auto values = [&](const char* path) { return authorisation::values_of(parameters, path); };
  for (const std::string& zone : values("Placement.AvailabilityZone"))
    add_zones(backend, zone, "", zones);
  for (const char* path : {"SubnetId", "NetworkInterface.SubnetId"})
    for (const std::string& subnet : values(path)) add_zones(backend, "", subnet, zones);
  const auto& network = backend.cloud.network();
  for (const std::string& id : values("NetworkInterface.NetworkInterfaceId"))
    if (network.interfaces.table.has(id))
      add_zones(backend, "", network.interfaces.table.find(id).subnet, zones);
  if (!zones.empty()) return zones;
  // A cluster's instances are all in one zone.
  const auto& groups = network.placement_groups;
  for (const std::string& name : values("Placement.GroupName"))
    add_zones(backend, groups.zone_of(name), "", zones);
  for (const std::string& id : values("Placement.GroupId"))
    if (groups.table.has(id))
      add_zones(backend, groups.zone_of(groups.table.find(id).name), "", zones);
  return zones;
}

// The zones of a fleet's overrides. An override without a zone or subnet has the launch template's.
Zones zones_of_fleet(Backend& backend, const api::ec2::CreateFleetRequest& request) {
  const auto& region = backend.cloud.config().availability_zones;
  Zones zones;
  for (const auto& config : request.launch_template_configs) {
    Zones of_template;
    if (const auto& named = config.launch_template_specification) {
      const auto parameters = ec2::template_parameters(
          backend, {{"LaunchTemplate.LaunchTemplateId", named->launch_template_id.value_or("")},
                    {"LaunchTemplate.LaunchTemplateName", named->launch_template_name.value_or("")},
                    {"LaunchTemplate.Version", named->version.value_or("")}});
      if (parameters) of_template = zones_of_launch(backend, *parameters);
    }
    if (of_template.empty()) of_template.insert(region.begin(), region.end());
    if (config.overrides.empty()) zones.merge(Zones(of_template));
    for (const auto& override : config.overrides) {
      if (override.availability_zone || override.subnet_id)
        add_zones(backend, override.availability_zone.value_or(""), override.subnet_id.value_or(""),
                  zones);
      else
        zones.merge(Zones(of_template));
    }
  }
  return zones;
}

Zones zones_of_instances(const Backend& backend, const api::ec2::StartInstancesRequest& request) {
  Zones zones;
  const auto& instances = backend.cloud.instances();
  for (const std::string& id : request.instance_ids)
    if (const auto found = instances.find({id}); found != instances.end())
      zones.insert(found->second.spec.availability_zone);
  return zones;
}

// The zones in which a call asks for capacity. Empty: it leaves the choice to EC2.
Zones zones_of(Backend& backend, const ApiCall& call) {
  if (call.action == "CreateFleet")
    return zones_of_fleet(backend, *static_cast<const api::ec2::CreateFleetRequest*>(call.request));
  if (call.action == "StartInstances")
    return zones_of_instances(backend,
                              *static_cast<const api::ec2::StartInstancesRequest*>(call.request));
  const auto completed = ec2::completed_launch(backend, *call.operation, call.request);
  return zones_of_launch(backend, completed ? *completed
                                            : api::form_of(*call.operation->input.shape,
                                                           call.request, api::FormStyle::kEc2));
}

// Whether a call asks for capacity that only zones without capacity could give. All instances of
// StartInstances must start.
bool lacks_capacity(Backend& backend, const ApiCall& call, const Zones& empty) {
  if (call.operation == nullptr) return false;
  Zones asked = zones_of(backend, call);
  const auto& zones = backend.cloud.config().availability_zones;
  if (asked.empty()) asked.insert(zones.begin(), zones.end());
  const auto is_empty = [&](const std::string& zone) { return empty.contains(zone); };
  return call.action == "StartInstances" ? std::ranges::any_of(asked, is_empty)
                                         : std::ranges::all_of(asked, is_empty);
}

// Refuses the roles' launches in the zones. Launches of services do not fail: those of Auto
// Scaling, and of fleets and spot requests that were made before.
sim::Duration end_capacity(const StartedAction& action) {
  Backend& backend = action.all.backend;
  Zones empty;
  for (const std::string& zone : backend.cloud.config().availability_zones)
    for (const std::string& named : list_in(action.parameters, "availabilityZoneIdentifiers"))
      if (named == zone || named == ec2::zone_id(zone)) empty.insert(zone);
  if (empty.empty())
    throw invalid_parameter("Parameter availabilityZoneIdentifiers: no zone of this region");
  for (const char* operation : {"RunInstances", "StartInstances", "CreateFleet"})
    fail_calls_of(action, kNoCapacity, operation, [&backend, empty](const ApiCall& call) {
      return lacks_capacity(backend, call, empty);
    });
  return lasts_in(action.parameters);
}

// ---- networks

// The scopes that this cloud has traffic of. The other ones are dynamodb, prefix-list and
// s3express.
void check_network(const ActionParameters& parameters) {
  lasts_in(parameters);
  constexpr std::string_view kScopes[] = {"all", "availability-zone", "s3", "vpc"};
  const auto scope = parameters.find("scope");
  const std::string found = scope == parameters.end() ? "nothing" : scope->second;
  if (std::ranges::find(kScopes, found) == std::end(kScopes))
    throw invalid_parameter(
        fmt::format("Parameter scope: found {}, expected one of the scopes of this simulated AWS: "
                    "all, availability-zone, s3 or vpc",
                    found));
  if (parameters.contains("prefixListIdentifier"))
    throw invalid_parameter("Parameter prefixListIdentifier needs the scope prefix-list.");
}
sim::Duration cut_network(const StartedAction& action) {
  const sim::Duration lasts = lasts_in(action.parameters);
  for (const std::string& subnet : action.resources)
    inject(action,
           {.kind = "network-down",
            .arguments = {
                {"scope", action.parameters.at("scope")}, {"subnet", subnet}, {"for", lasts}}});
  return lasts;
}

constexpr NeededPermission kPause[] = {{"ec2:PauseVolumeIO"}};
constexpr NeededPermission kInjectCapacity[] = {{"ec2:InjectApiError", "*"}};
constexpr NeededPermission kInjectInternal[] = {{"fis:InjectApiInternalError", "fis:experiment/*"}};
constexpr NeededPermission kInjectThrottle[] = {{"fis:InjectApiThrottleError", "fis:experiment/*"}};
constexpr NeededPermission kInjectUnavailable[] = {
    {"fis:InjectApiUnavailableError", "fis:experiment/*"}};
constexpr NeededPermission kCutNetwork[] = {{"ec2:CreateNetworkAcl", "ec2:network-acl/*", "", true},
                                            {"ec2:ReplaceNetworkAclAssociation"}};

constexpr ActionParameterRow kLasts{"duration", "The time that the action takes"};
constexpr ActionParameterRow kPercentage{"percentage", "The share of the calls that fail", false};
constexpr ActionParameterRow kOfPause[] = {kLasts};
constexpr ActionParameterRow kOfCapacity[] = {
    kLasts, {"availabilityZoneIdentifiers", "The zones without capacity"}, kPercentage};
constexpr ActionParameterRow kOfErrors[] = {kLasts,
                                            {"service", "The namespace of the service: ec2"},
                                            {"operations", "The calls that fail"},
                                            kPercentage};
constexpr ActionParameterRow kOfNetwork[] = {
    kLasts,
    {"scope", "The traffic that is cut"},
    {"prefixListIdentifier", "The addresses of the scope prefix-list", false}};

constexpr std::string_view kPauseIo = "aws:ebs:pause-volume-io";
constexpr ExperimentActionKind kFaultActions[] = {
    {kPauseIo, "Pauses the I/O of volumes", "Volumes", "aws:ec2:ebs-volume", kOfPause, check_pause,
     pause_io, kPause},
    {"aws:ec2:api-insufficient-instance-capacity-error",
     "Refuses launches for insufficient capacity", "Roles", "aws:iam:role", kOfCapacity,
     check_capacity, end_capacity, kInjectCapacity},
    {"aws:fis:inject-api-internal-error", "Fails calls with internal errors", "Roles",
     "aws:iam:role", kOfErrors, check_api_error, fail_calls<kInternal>, kInjectInternal},
    {"aws:fis:inject-api-throttle-error", "Fails calls with throttling errors", "Roles",
     "aws:iam:role", kOfErrors, check_api_error, fail_calls<kThrottled>, kInjectThrottle},
    {"aws:fis:inject-api-unavailable-error", "Fails calls because the service is unavailable",
     "Roles", "aws:iam:role", kOfErrors, check_api_error, fail_calls<kUnavailable>,
     kInjectUnavailable},
    {"aws:network:disrupt-connectivity", "Cuts the connections of subnets", "Subnets",
     "aws:ec2:subnet", kOfNetwork, check_network, cut_network, kCutNetwork}};

}  // namespace

std::span<const ExperimentActionKind> fault_actions() { return kFaultActions; }

bool is_impaired(const Backend& backend, const std::string& volume) {
  if (!backend.experiments) return false;
  const auto latest = timestamp(backend.simulation.now() - std::chrono::minutes{2});
  const auto pauses_it = [&](const RunningExperiment& experiment, const std::string& name,
                             const api::fis::ExperimentAction& action) {
    const bool runs = action.state && action.state->status == "running" && action.start_time;
    if (action.action_id != kPauseIo || !runs || *action.start_time > latest) return false;
    const Resources& volumes = experiment.struck.at(name);
    return std::ranges::find(volumes, volume) != volumes.end();
  };
  for (const auto& [id, experiment] : backend.experiments->started)
    for (const auto& [name, action] : experiment.shown.actions)
      if (pauses_it(experiment, name, action)) return true;
  return false;
}

}  // namespace fakes::fis
