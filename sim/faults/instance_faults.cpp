// Faults of instances: interruptions, failures and recommendations.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/faults/kinds.h"
#include "sim/faults/take_back.h"

namespace sim::faults {
namespace of_instances {
namespace {

void interrupt(const Arguments& arguments, const Strike& strike, Targets& targets) {
  const cloud::Instance* const instance = struck_instance(arguments, strike, targets);
  if (!instance || instance->lifecycle != cloud::Lifecycle::kSpot) return;
  std::vector<cloud::InstanceId> taken;
  if (!instance->shutting_down_at) taken.push_back(instance->id);
  take_back(pool_of(*instance), taken, arguments, strike, targets);
}

bool anything_runs(const cloud::Cloud& cloud, const market::Pool& pool) {
  return std::ranges::any_of(cloud.instances(), [&pool](const auto& entry) {
    return entry.second.state == cloud::InstanceState::kRunning && pool_of(entry.second) == pool;
  });
}

void reclaim(const Arguments& arguments, const Strike& strike, Targets& targets) {
  std::vector<market::Pool> empty;  // pools of the interrupted instances
  for (const market::Pool& pool : struck_pools(arguments, targets)) {
    if (!strike.interruption && !anything_runs(targets.cloud, pool)) continue;
    empty.push_back(pool);
    take_back(pool, running_spot(targets.cloud, pool), arguments, strike, targets);
  }
  if (const auto* lasts = arguments.find<Duration>("for"); lasts && *lasts > Duration{})
    drain_pools(empty, 0, *lasts, targets);
}

void power_cut(const Arguments& arguments, const Strike& strike, Targets& targets) {
  if (const cloud::Instance* const instance = struck_instance(arguments, strike, targets))
    cut_power(targets.cloud, *instance, arguments.get<std::string>("volumes") == "lost");
}

void host_failure(const Arguments& arguments, const Strike& strike, Targets& targets) {
  if (const cloud::Instance* const instance = struck_instance(arguments, strike, targets))
    targets.cloud.fail_host(instance->id);
}

void rebalance(const Arguments& arguments, const Strike& strike, Targets& targets) {
  if (const cloud::Instance* const instance = struck_instance(arguments, strike, targets))
    targets.cloud.recommend_rebalance(instance->id);
}

void rebalance_pools(const Arguments& arguments, const Strike&, Targets& targets) {
  for (const market::Pool& pool : struck_pools(arguments, targets))
    for (const cloud::InstanceId& id : running_spot(targets.cloud, pool))
      targets.cloud.recommend_rebalance(id);
}

void duplicate(const Arguments&, const Strike& strike, Targets& targets) {
  const auto& instances = targets.cloud.instances();
  const auto struck = instances.find(cloud::InstanceId{strike.machine});
  cloud::FleetId fleet = struck == instances.end() ? cloud::FleetId{} : struck->second.fleet;
  for (const auto& [id, candidate] : targets.cloud.fleets())
    if (struck == instances.end() && candidate.state == cloud::FleetState::kActive &&
        (fleet.empty() || candidate.created_at > targets.cloud.fleet(fleet).created_at))
      fleet = id;
  if (fleet.empty()) return;
  const std::size_t before = targets.launched.size();
  targets.cloud.launch_one_more(fleet);
  for (std::size_t i = before; i < targets.launched.size(); ++i)
    targets.log.append(events::FaultMade{.time = targets.simulation.now(),
                                         .resource_id = targets.launched[i].value});
}

constexpr Parameter kNotice{"notice", ArgumentType::kDuration, "2m", "",
                            "time from the notice to the end of the instance; `0s`: no notice"};
constexpr Parameter kReason{"reason", ArgumentType::kWord, "no-capacity",
                            "no-capacity by-price by-experiment",
                            "reason that the spot request's status code states"};
constexpr Parameter kRebalance{"rebalance", ArgumentType::kDuration, "", "",
                               "time from a rebalance recommendation to the fault; without it "
                               "there is no recommendation"};
constexpr Parameter kInterrupt[] = {kOneInstance, kNotice,    kReason,
                                    kVolumes,     kRebalance, kCapacityAfter};
constexpr Parameter kReclaim[] = {kOnlyPool,
                                  kOnlyZone,
                                  kOnlyType,
                                  kNotice,
                                  kReason,
                                  kVolumes,
                                  kRebalance,
                                  kCapacityAfter,
                                  {"for", ArgumentType::kDuration, "0s", "",
                                   "time without capacity in the pools after the "
                                   "interruption"}};
constexpr Parameter kPowerCut[] = {
    kOneInstance,
    {"volumes", ArgumentType::kWord, "kept", "kept lost",
     "`lost`: the hardware of the instance's volumes fails, too"},
};
constexpr Parameter kInstanceOnly[] = {kOneInstance};

constexpr Trial kInterruptTrials[] = {{Trial::At::kSpotInstant, "", ""},
                                      {Trial::At::kSpotInstant, "", "notice: 15s"}};

constexpr Trial kPowerCutTrials[] = {{Trial::At::kInstant, "", ""}};

constexpr Trial kDuplicateTrials[] = {{Trial::At::kEvent, "fleet.state active", ""},
                                      {Trial::At::kEvent, "trainer.start", ""},
                                      {Trial::At::kEvent, "instance.notice", ""}};

constexpr Trial kRebalanceTrials[] = {{Trial::At::kSpotInstant, "", ""}};

// The instance ends at once in the middle of a hop, and the next one starts in a third zone.
constexpr Trial kReclaimTrials[] = {
    {Trial::At::kEvent, "trainer.start", "for: 30m"},
    {Trial::At::kEvent, "instance.notice", ""},
    {Trial::At::kSpotInstant, "", "notice: 0s, for: 30m"},
    {Trial::At::kEvent, "trainer.start", "zone: EACH, for: 30m"},
    {Trial::At::kEvent, "volume.state", "zone: EACH, notice: 0s, for: 30m"}};

constexpr Kind kKinds[] = {
    {.name = "interrupt",
     .does = "EC2 interrupts a spot instance, after a notice",
     .remedy = "looks for the notice every 5 s (spot/instance-action), then saves, and lets its "
               "replacement resume from that checkpoint",
     .parameters = kInterrupt,
     .target = Target::kSpotInstance,
     .strike = interrupt,
     .recommend = rebalance,
     .trials = kInterruptTrials},
    {.name = "reclaim",
     .does = "EC2 interrupts all running spot instances of the selected pools at the same time",
     .remedy = "saves on the notice, and lets a replacement start in another pool or when capacity "
               "returns",
     .parameters = kReclaim,
     .strike = reclaim,
     .recommend = rebalance_pools,
     .trials = kReclaimTrials},
    {.name = "power-cut",
     .does = "an instance ends at once, and data that it had not synced to its volumes is lost. "
             "EC2 reports a spot instance as interrupted",
     .remedy = "saves regularly, syncs before it reports a checkpoint as saved, and resumes from "
               "the newest whole checkpoint at each boot",
     .parameters = kPowerCut,
     .cuts_power = true,
     .strike = power_cut,
     .trials = kPowerCutTrials},
    {.name = "host-failure",
     .does = "the hardware of an instance fails: like power-cut, but EC2 reports the state reason "
             "Server.InternalError",
     .remedy = "starts a replacement for each instance that ends, for whatever reason. The "
               "replacement resumes from the newest whole checkpoint",
     .parameters = kInstanceOnly,
     .cuts_power = true,
     .strike = host_failure,
     .trials = kPowerCutTrials},
    {.name = "duplicate-instance",
     .does = "a fleet launches one instance more than its target. The fleet is that of the "
             "trigger's instance, or else the newest active one",
     .remedy = "lets one instance train at a time (an attached volume or a conditional write as "
               "lock), and ends the other one",
     .parameters = {},
     .passes = false,
     .strike = duplicate,
     .trials = kDuplicateTrials},
    {.name = "rebalance",
     .does = "a rebalance recommendation that no interruption follows",
     .remedy = "treats a rebalance recommendation as a hint: it saves, and continues to train "
               "until a notice comes",
     .parameters = kInstanceOnly,
     .strike = rebalance,
     .trials = kRebalanceTrials},
};

}  // namespace
}  // namespace of_instances

std::span<const Kind> instance_faults() { return of_instances::kKinds; }

}  // namespace sim::faults
