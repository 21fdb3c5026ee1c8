// Actions that inject faults of the catalogue (AWS FIS User Guide, "AWS FIS Actions reference").
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fakes/ec2/network/vpc.h"
#include "fakes/fis/parameters.h"
#include "fakes/front.h"

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

// Whether an instance has one of these roles. The operator's calls count as calls of any role.
bool acts_for(Backend& backend, const std::string& caller, const Resources& roles) {
  const auto& instances = backend.cloud.instances();
  const auto instance = instances.find(sim::cloud::InstanceId{caller});
  if (instance == instances.end()) return true;
  const std::string& profile_name = instance->second.spec.iam_instance_profile;
  if (profile_name.empty()) return false;
  const auto* const profile = backend.iam->find_instance_profile(profile_name);
  return profile && std::ranges::find(roles, profile->role) != roles.end();
}

struct InjectedError {
  const char* code;
  const char* message;
  std::int64_t status;
};

// EC2 API reference, "Error codes".
constexpr InjectedError kInternal{"InternalError", "An internal error has occurred.", 500},
    kThrottled{"RequestLimitExceeded", "Request limit exceeded.", 503},
    kUnavailable{"Unavailable", "The server is overloaded and can't handle the request.", 503};

template <const InjectedError& error>
sim::Duration fail_calls(const StartedAction& action) {
  const sim::Duration lasts = lasts_in(action.parameters);
  const auto share = static_cast<std::uint64_t>(percentage_in(action.parameters));
  Experiments& all = action.all;
  for (const std::string& operation : list_in(action.parameters, "operations"))
    inject(action, {.kind = "api-error",
                    .arguments = {{"code", error.code},
                                  {"message", error.message},
                                  {"status", error.status},
                                  {"effect", false},
                                  {"action", operation},
                                  {"for", lasts}},
                    .applies = [&all, roles = action.resources, share](std::string_view caller) {
                      return acts_for(all.backend, std::string(caller), roles) &&
                             all.draws.below(100) < share;
                    }});
  return lasts;
}

// ---- volumes

void check_pause(const ActionParameters& parameters) {
  lasts_in(parameters, std::chrono::seconds{1});
}

// The fault pauses all data volumes of the instance.
sim::Duration pause_io(const StartedAction& action) {
  const sim::Duration lasts = lasts_in(action.parameters, std::chrono::seconds{1});
  std::set<std::string> instances;
  for (const std::string& id : action.resources) {
    const auto& volume = action.all.backend.cloud.volume(sim::cloud::VolumeId{id});
    if (volume.attachment) instances.insert(volume.attachment->instance.value);
  }
  if (instances.empty()) throw invalid_parameter("The volumes are not attached to an instance.");
  for (const std::string& id : instances)
    inject(action, {.kind = "pause-volume-io", .arguments = {{"for", lasts}}, .machine = id});
  return lasts;
}

// ---- capacity

void check_capacity(const ActionParameters& parameters) {
  lasts_in(parameters);
  list_in(parameters, "availabilityZoneIdentifiers");
  if (percentage_in(parameters) != 100)
    throw invalid_parameter(
        "Parameter percentage: this simulated AWS has no capacity errors for a part of the calls");
}

// No spot instance can start in the zones, whoever calls.
sim::Duration end_capacity(const StartedAction& action) {
  const sim::Duration lasts = lasts_in(action.parameters);
  std::set<std::string> zones;
  for (const auto& pool : action.all.backend.cloud.market().pools())
    for (const std::string& named : list_in(action.parameters, "availabilityZoneIdentifiers"))
      if (named == pool.availability_zone || named == ec2::zone_id(pool.availability_zone))
        zones.insert(pool.availability_zone);
  if (zones.empty())
    throw invalid_parameter("Parameter availabilityZoneIdentifiers: no zone of this region");
  for (const std::string& zone : zones)
    inject(action, {.kind = "drain",
                    .arguments = {{"zone", zone}, {"slots", std::int64_t{0}}, {"for", lasts}}});
  return lasts;
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

constexpr ExperimentActionKind kFaultActions[] = {
    {"aws:ebs:pause-volume-io", "Pauses the I/O of volumes", "Volumes", "aws:ec2:ebs-volume",
     kOfPause, check_pause, pause_io, kPause},
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

}  // namespace fakes::fis
