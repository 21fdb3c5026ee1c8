// Auto Scaling's resources as plain data: launch configurations, groups, their instances, hooks,
// scheduled actions and scaling activities.
#pragma once

#include <any>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/autoscaling/states.h"
#include "sim/cloud/resources.h"
#include "sim/kernel/simulation.h"
#include "sim/kernel/time.h"

namespace sim::autoscaling {

// The tag of an instance that says its group.
inline constexpr const char* kGroupTag = "aws:autoscaling:groupName";

// What an instance is launched with.
struct LaunchRequest {
  cloud::LaunchSpec spec;
  bool spot = false;
  Time made{};  // the launch configuration or the version of the template
};

struct LaunchConfiguration {
  std::string name, arn;
  LaunchRequest request;
  std::any asked;  // the API's request, for whoever shows it again
};

// A launch configuration or a launch template, as a group names it.
struct LaunchSource {
  std::string launch_configuration;  // empty: a launch template
  cloud::LaunchTemplateId launch_template = {};
  std::string template_name = {};
  std::string version = {};  // "3", "$Latest"; empty: "$Default"
  // What the source says now. Throws ApiError where it is gone.
  std::function<LaunchRequest()> read = {};
};

enum class SpotStrategy {
  kLowestPrice,
  kCapacityOptimized,
  kCapacityOptimizedPrioritized,
  kPriceCapacityOptimized
};
std::string_view name(SpotStrategy strategy);  // "price-capacity-optimized"
enum class OnDemandStrategy { kPrioritized, kLowestPrice };
std::string_view name(OnDemandStrategy strategy);  // "lowest-price"

// An instance type that a mixed group may launch, in order of priority.
struct Override {
  std::string instance_type;                // empty: the template's own
  std::optional<int> weight = {};           // units of capacity; empty: 1
  std::optional<LaunchSource> source = {};  // empty: the policy's
};

struct MixedPolicy {
  LaunchSource source;
  std::vector<Override> overrides;  // empty: the template alone
  int on_demand_base = 0;           // units of capacity
  int on_demand_percent = 100;      // of what is above the base
  OnDemandStrategy on_demand = OnDemandStrategy::kPrioritized;
  SpotStrategy spot = SpotStrategy::kLowestPrice;
  int spot_pools = 2;                        // of lowest-price: the cheapest types in each zone
  std::optional<cloud::Usd> max_price = {};  // a unit of capacity for an hour; empty: on-demand's
  std::any asked = {};                       // the API's structure, to be shown again
};

// Where a group launches. Without a subnet: in the zone's default subnet.
struct LaunchZone {
  std::string zone, subnet = {};
};

// What CreateAutoScalingGroup says and UpdateAutoScalingGroup changes.
struct Settings {
  std::optional<LaunchSource> source = {};  // empty: `mixed`
  std::optional<MixedPolicy> mixed = {};
  int min = 0, max = 0, desired = 0;  // units of capacity
  std::vector<LaunchZone> places = {};
  std::string subnets = {};  // VPCZoneIdentifier
  int default_cooldown = 300;
  std::string health_check_type = "EC2";
  int grace_period = 0;  // seconds
  bool capacity_rebalance = false;
  bool protect_new = false;
  std::vector<std::string> termination_policies = {"Default"};
  std::optional<int> default_warmup = {};  // shown
  std::string context = {};                // shown
};

struct GroupTag {
  std::string value;
  bool propagate = false;  // to instances that are launched from now on
};
using GroupTags = std::map<std::string, GroupTag>;

struct Hook {
  enum class Transition { kLaunching, kTerminating };
  enum class Result { kContinue, kAbandon };
  std::string name;
  Transition transition = Transition::kLaunching;
  Duration heartbeat = std::chrono::seconds{3600};
  Result default_result = Result::kAbandon;
  std::string metadata = {}, target_arn = {}, role_arn = {};  // shown: nothing is sent
};
std::string_view name(Hook::Transition transition);  // "autoscaling:EC2_INSTANCE_LAUNCHING"
std::string_view name(Hook::Result result);          // "CONTINUE"
// How long an instance stays in a wait state at most: 48 hours, or 100 times the heartbeat's
// timeout.
Duration global_timeout(const Hook& hook);

struct ScheduledAction {
  std::string name, arn;
  std::optional<Time> start = {}, end = {};  // `start`: of a recurrence, not before
  std::string recurrence = {};               // five fields of cron; empty: once, at `start`
  std::optional<int> min = {}, max = {}, desired = {};
  std::optional<EventId> next = {};
  std::optional<Time> next_at = {};
};

// A hook's action for one instance: the instance waits until it is completed.
struct LifecycleAction {
  std::string hook, token;
  Time until_at_most{};  // the global timeout
  EventId expiry{};
};

struct Member {
  cloud::InstanceId id;
  std::string instance_type, zone;
  LaunchSource source;  // with the template's version as a number
  Time source_made{};
  int weight = 1;
  bool weighted = false;  // the policy gives its type a weight
  cloud::Lifecycle lifecycle = cloud::Lifecycle::kOnDemand;
  LifecycleState state = LifecycleState::kPending;
  bool healthy = true;
  bool is_protected = false;  // from scale-in
  bool at_risk = false;       // EC2 recommends to replace it
  std::string unhealthy_cause = {};
  std::optional<Time> in_service_since = {};
  // Launched to stand in for this one, which goes as soon as the replacement is in service.
  cloud::InstanceId replacement = {};
  std::map<std::string, LifecycleAction> actions = {};  // that it waits for, by hook
  std::size_t activity = 0;                             // the last one about it
};

struct Group {
  std::string name, arn;
  Settings settings;
  GroupTags tags;
  Time created{};
  bool deleting = false;
  std::map<std::string, std::string> suspended = {};  // process → reason
  std::vector<Member> members = {};                   // in launch order
  std::map<std::string, Hook> hooks = {};
  std::map<std::string, ScheduledAction> schedule = {};

  bool runs(const std::string& process) const { return !suspended.contains(process); }
  const Member* find(const cloud::InstanceId& id) const;
  Member* find(const cloud::InstanceId& id);
  // Capacity that the group has or will soon have: without what leaves, what is in standby, and
  // what is only there until its replacement is in service.
  int capacity() const;
  int capacity(cloud::Lifecycle lifecycle) const;
};

struct Activity {
  std::string id, group, group_arn;
  cloud::InstanceId instance;
  std::string description, cause;
  std::string details;  // JSON
  ActivityStatus status = ActivityStatus::kInProgress;
  std::string message = {};
  int progress = 0;
  Time start{};
  std::optional<Time> end = {};
};

}  // namespace sim::autoscaling
