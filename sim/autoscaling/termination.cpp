#include "sim/autoscaling/termination.h"

#include <algorithm>
#include <map>

#include "sim/autoscaling/allocation.h"

namespace sim::autoscaling {
namespace {

using Members = std::vector<const Member*>;

struct Look {
  const Group& group;
  Time now;
  const std::function<Time(const cloud::InstanceId&)>& launched;
};

// Keeps the members with the lowest value.
template <class Value>
Members lowest(const Members& members, Value value) {
  Members kept;
  for (const Member* member : members) {
    if (!kept.empty() && value(*kept.front()) < value(*member)) continue;
    if (!kept.empty() && value(*member) < value(*kept.front())) kept.clear();
    kept.push_back(member);
  }
  return kept;
}

Members oldest_instance(const Members& members, const Look& look) {
  return lowest(members, [&](const Member& m) { return look.launched(m.id); });
}

Members newest_instance(const Members& members, const Look& look) {
  return lowest(members, [&](const Member& m) { return look.now - look.launched(m.id); });
}

// The members with the oldest launch configuration or template. Launch configurations come before
// launch templates (User Guide, "Default termination policy").
Members oldest_source(const Members& members, const Look&) {
  return lowest(members, [](const Member& m) {
    return std::pair(m.source.launch_configuration.empty(), m.source_made);
  });
}

Members closest_to_next_hour(const Members& members, const Look& look) {
  return lowest(members, [&](const Member& m) {
    constexpr Duration kHour = std::chrono::hours{1};
    return kHour - (look.now - look.launched(m.id)) % kHour;
  });
}

// On-demand instances if the group has more of them than its policy requires, else spot instances.
Members by_allocation(const Members& members, const Look& look) {
  const auto& policy = look.group.settings.mixed;
  if (!policy) return members;
  const int wanted = on_demand_share(*policy, look.group.settings.desired);
  const auto goes = look.group.capacity(cloud::Lifecycle::kOnDemand) > wanted
                        ? cloud::Lifecycle::kOnDemand
                        : cloud::Lifecycle::kSpot;
  return lowest(members, [&](const Member& m) { return m.lifecycle != goes; });
}

Members by_default(const Members& members, const Look& look) {
  return closest_to_next_hour(oldest_source(by_allocation(members, look), look), look);
}

constexpr struct {
  const char* name;
  Members (*keep)(const Members&, const Look&);
} kPolicies[] = {{"AllocationStrategy", by_allocation},
                 {"ClosestToNextInstanceHour", closest_to_next_hour},
                 {"Default", by_default},
                 {"NewestInstance", newest_instance},
                 {"OldestInstance", oldest_instance},
                 {"OldestLaunchConfiguration", oldest_source},
                 {"OldestLaunchTemplate", oldest_source}};

// The members in the zone with the most instances. Zones that were removed from the group come
// first.
Members of_fullest_zones(const Group& group, const Members& members) {
  std::map<std::string, int> count;
  for (const Member& member : group.members)
    if (!is_leaving(member.state)) ++count[member.zone];
  return lowest(members, [&](const Member& m) {
    const bool own = std::ranges::find(group.settings.places, m.zone, &LaunchZone::zone) !=
                     group.settings.places.end();
    return std::pair(own, -count.at(m.zone));
  });
}

}  // namespace

std::vector<std::string> termination_policy_types() {
  std::vector<std::string> names;
  for (const auto& policy : kPolicies) names.emplace_back(policy.name);
  return names;
}

bool is_termination_policy(const std::string& name) {
  return std::ranges::any_of(kPolicies, [&](const auto& policy) { return policy.name == name; });
}

const Member* to_terminate(const Group& group, Time now,
                           const std::function<Time(const cloud::InstanceId&)>& launched) {
  const int surplus = group.capacity() - group.settings.desired;
  Members left;
  for (const Member& member : group.members)
    if ((member.state == LifecycleState::kInService || is_pending(member.state)) &&
        !member.is_protected && member.replacement.empty() && member.weight <= surplus)
      left.push_back(&member);
  if (left.empty()) return nullptr;
  left = of_fullest_zones(group, left);
  const Look look{group, now, launched};
  for (const std::string& name : group.settings.termination_policies)
    for (const auto& policy : kPolicies)
      if (policy.name == name) left = policy.keep(left, look);
  return oldest_instance(left, look).front();
}

}  // namespace sim::autoscaling
