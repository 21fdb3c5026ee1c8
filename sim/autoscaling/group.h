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

// The tag that names an instance's group.
inline constexpr const char* kGroupTag = "aws:autoscaling:groupName";

// The properties of an instance to launch.
struct LaunchRequest {
  cloud::LaunchSpec spec;
  bool spot = false;
  Time made{};  // when the launch configuration or the template's version was created
};

struct LaunchConfiguration {
  std::string name, arn;
  LaunchRequest request;
  std::any asked;  // the API's request, for Describe calls
};

// A reference from a group to a launch configuration or to a launch template.
struct LaunchSource {
  std::string launch_configuration;  // empty: a launch template
  cloud::LaunchTemplateId launch_template = {};
  std::string template_name = {};
  std::string version = {};  // "3", "$Latest"; empty: "$Default"
  // Reads the present contents of the source. Throws ApiError if the source does not exist.
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
  std::string instance_type;                // empty: the template's type
  std::optional<int> weight = {};           // units of capacity; empty: 1
  std::optional<LaunchSource> source = {};  // empty: the policy's source
};

// A MixedInstancesPolicy: a group with several instance types, on-demand and spot.
struct MixedPolicy {
  LaunchSource source;
  std::vector<Override> overrides;  // empty: only the template's type
  int on_demand_base = 0;           // units of capacity
  int on_demand_percent = 100;      // of the capacity above the base
  OnDemandStrategy on_demand = OnDemandStrategy::kPrioritized;
  SpotStrategy spot = SpotStrategy::kLowestPrice;
  int spot_pools = 2;  // for lowest-price: number of cheapest types in each zone
  std::optional<cloud::Usd> max_price = {};  // USD per unit and hour; empty: on-demand price
  std::any asked = {};                       // the API's structure, for Describe calls
};

// A zone in which the group launches. An empty subnet means the zone's default subnet.
struct LaunchZone {
  std::string zone, subnet = {};
};

// The settings that CreateAutoScalingGroup makes and UpdateAutoScalingGroup changes.
struct Settings {
  std::optional<LaunchSource> source = {};  // empty: `mixed` is set
  std::optional<MixedPolicy> mixed = {};
  int min = 0, max = 0, desired = 0;  // units of capacity
  std::vector<LaunchZone> places = {};
  std::string subnets = {};  // VPCZoneIdentifier
  int default_cooldown = 300;
  std::string health_check_type = "EC2";
  int grace_period = 0;  // seconds
  bool capacity_rebalance = false;
  bool protect_new = false;
  std::string placement_group = {};  // replaces that of the launch template; empty: none
  std::vector<std::string> termination_policies = {"Default"};
  std::optional<int> default_warmup = {};  // only returned by Describe calls
  std::string context = {};                // only returned by Describe calls
};

struct GroupTag {
  std::string value;
  bool propagate = false;  // copied to instances that are launched later
};
using GroupTags = std::map<std::string, GroupTag>;

// A lifecycle hook: instances wait at a transition until the hook's action is completed.
struct Hook {
  enum class Transition { kLaunching, kTerminating };
  enum class Result { kContinue, kAbandon };
  std::string name;
  Transition transition = Transition::kLaunching;
  Duration heartbeat = std::chrono::seconds{3600};
  Result default_result = Result::kAbandon;
  std::string metadata = {}, target_arn = {}, role_arn = {};  // only returned: nothing is sent
};
std::string_view name(Hook::Transition transition);  // "autoscaling:EC2_INSTANCE_LAUNCHING"
std::string_view name(Hook::Result result);          // "CONTINUE"
// The longest time that an instance can stay in a wait state: 48 hours, or 100 times the heartbeat
// timeout if that is shorter.
Duration global_timeout(const Hook& hook);

// Changes the sizes of a group at a time, once or repeatedly.
struct ScheduledAction {
  std::string name, arn;
  std::optional<Time> start = {}, end = {};  // with a recurrence, `start` is its earliest time
  std::string recurrence = {};               // five fields of cron; empty: once, at `start`
  std::optional<int> min = {}, max = {}, desired = {};
  std::optional<EventId> next = {};
  std::optional<Time> next_at = {};
};

// A hook's action for one instance. The instance waits until the action is completed or expires.
struct LifecycleAction {
  std::string hook, token;
  Time until_at_most{};  // the global timeout
  EventId expiry{};
};

// An instance of a group, with its state in the group.
struct Member {
  cloud::InstanceId id;
  std::string instance_type, zone;
  LaunchSource source;  // with the number of the template's version
  Time source_made{};
  int weight = 1;
  bool weighted = false;  // the policy gives a weight to this type
  cloud::Lifecycle lifecycle = cloud::Lifecycle::kOnDemand;
  LifecycleState state = LifecycleState::kPending;
  bool healthy = true;
  bool is_protected = false;  // protected from scale-in
  bool at_risk = false;       // EC2 recommends a replacement
  std::string unhealthy_cause = {};
  std::optional<Time> in_service_since = {};
  // The instance that was launched as a replacement. As soon as the replacement is in service, the
  // group terminates this member.
  cloud::InstanceId replacement = {};
  std::map<std::string, LifecycleAction> actions = {};  // not completed yet, by hook
  std::size_t activity = 0;                             // number of its latest activity
};

// An Auto Scaling group with its instances. Groups changes it (groups.h).
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
  // The capacity that the group has or will soon have. It excludes instances that are leaving, are
  // in standby, or are about to be replaced.
  int capacity() const;
  int capacity(cloud::Lifecycle lifecycle) const;
};

// A scaling activity, such as one launch. DescribeScalingActivities returns it.
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
