// Faults of the network of a subnet (AWS FIS User Guide, "aws:network:disrupt-connectivity").
#include <set>

#include "fakes/service.h"
#include "sim/faults/kinds.h"
#include "sim/faults/ongoing_faults.h"

namespace sim::faults {
namespace of_the_network {
namespace {

// The subnet to cut: the argument, else that of the struck instance. Empty if there is none. Throws
// InvalidSubnetID.NotFound for an unknown one.
std::string struck_subnet(const Arguments& arguments, const Strike& strike, Targets& targets) {
  if (const auto* const subnet = arguments.find<std::string>("subnet"))
    return targets.cloud.network().subnets.table.find(*subnet).id;
  const cloud::Instance* const instance = struck_instance(arguments, strike, targets);
  return instance ? instance->spec.subnet_id : "";
}

bool is_of_s3(std::string_view action) {
  static const std::set<std::string_view> kActions = [] {
    std::set<std::string_view> actions;
    for (const fakes::ActionRow& row : fakes::s3_service().actions)
      actions.insert(row.operation->name);
    return actions;
  }();
  return kActions.contains(action);
}

// Calls of instances in the subnet never arrive: all of them, or those of S3.
ApiTrouble lost_calls(const std::string& subnet, bool only_s3, const cloud::Cloud& cloud) {
  return {.action = "",
          .machine = "",
          .trouble = {.error = api::Error{"NoAnswer", "The request did not arrive.", 503},
                      .effect = false,
                      .delay = fakes::kNoAnswer},
          .lasting = {},
          .applies = [subnet, only_s3, &cloud](const fakes::Interference::Call& call) {
            const auto caller = cloud.instances().find({std::string(call.caller)});
            return caller != cloud.instances().end() && caller->second.spec.subnet_id == subnet &&
                   (!only_s3 || is_of_s3(call.action));
          }};
}

void cut(const Arguments& arguments, const Strike& strike, Targets& targets) {
  const std::string subnet = struck_subnet(arguments, strike, targets);
  if (subnet.empty()) return;
  const auto& scope = arguments.get<std::string>("scope");
  const auto& lasts = arguments.get<Duration>("for");
  const Lasting lasting{.times = {}, .until = targets.simulation.now() + lasts};
  if (scope != "availability-zone") {
    ApiTrouble calls = lost_calls(subnet, scope == "s3", targets.cloud);
    calls.lasting = lasting;
    targets.ongoing.begin(std::move(calls));
    tell_of_calls(targets, lasts);
  }
  if (scope == "s3") return;
  const LostTraffic lost = scope == "all"   ? LostTraffic::kAll
                           : scope == "vpc" ? LostTraffic::kInternet
                                            : LostTraffic::kOtherZones;
  targets.ongoing.begin(CutSubnet{.subnet = subnet, .lost = lost, .lasting = lasting});
}

constexpr Parameter kCut[] = {
    {"scope", ArgumentType::kWord, "all", "all availability-zone s3 vpc",
     "the lost traffic of the subnet: all with others, with instances in other zones, with S3, or "
     "with everything outside of the VPC"},
    {"subnet", ArgumentType::kText, "", "",
     "the subnet's ID, instead of `instance`; by default the instance's subnet"},
    kOneInstance,
    {"for", ArgumentType::kDuration, "10m", "", "duration of the fault"}};

// While the script prepares, trains, saves, answers a notice and reports the end. Calls one by one
// are lost by api-lost-request.
constexpr Trial kCutTrials[] = {{Trial::At::kEvent, "instance.boot", ""},
                                {Trial::At::kEvent, "trainer.start", ""},
                                {Trial::At::kEvent, "trainer.checkpoint-written", ""},
                                {Trial::At::kEvent, "instance.notice", ""},
                                {Trial::At::kEvent, "trainer.finished", ""}};

constexpr Kind kKinds[] = {
    {.name = "network-down",
     .does = "a subnet loses its network: calls to AWS, downloads and connections between "
             "instances get no answer. Instance metadata and connections within the subnet "
             "continue",
     .remedy = "limits the time of each call and connection, repeats it, and continues to train "
               "and to look for notices",
     .parameters = kCut,
     .lasts = true,
     .strike = cut,
     .trials = kCutTrials},
};

}  // namespace
}  // namespace of_the_network

std::span<const Kind> network_faults() { return of_the_network::kKinds; }

}  // namespace sim::faults
