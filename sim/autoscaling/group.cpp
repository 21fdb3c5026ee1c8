#include "sim/autoscaling/group.h"

#include <algorithm>

namespace sim::autoscaling {
namespace {

int weight_of(const Member& member) {
  const bool counts = !is_leaving(member.state) && member.state != LifecycleState::kStandby &&
                      member.state != LifecycleState::kEnteringStandby &&
                      member.replacement.empty();
  return counts ? member.weight : 0;
}

}  // namespace

std::string_view name(SpotStrategy strategy) {
  static constexpr std::string_view kNames[] = {"lowest-price", "capacity-optimized",
                                                "capacity-optimized-prioritized",
                                                "price-capacity-optimized"};
  return kNames[static_cast<std::size_t>(strategy)];
}

std::string_view name(OnDemandStrategy strategy) {
  return strategy == OnDemandStrategy::kPrioritized ? "prioritized" : "lowest-price";
}

std::string_view name(Hook::Transition transition) {
  return transition == Hook::Transition::kLaunching ? "autoscaling:EC2_INSTANCE_LAUNCHING"
                                                    : "autoscaling:EC2_INSTANCE_TERMINATING";
}

std::string_view name(Hook::Result result) {
  return result == Hook::Result::kContinue ? "CONTINUE" : "ABANDON";
}

Duration global_timeout(const Hook& hook) {
  return std::min<Duration>(std::chrono::hours{48}, 100 * hook.heartbeat);
}

const Member* Group::find(const cloud::InstanceId& id) const {
  const auto found = std::ranges::find(members, id, &Member::id);
  return found == members.end() ? nullptr : &*found;
}

Member* Group::find(const cloud::InstanceId& id) {
  return const_cast<Member*>(std::as_const(*this).find(id));
}

int Group::capacity() const {
  int sum = 0;
  for (const Member& member : members) sum += weight_of(member);
  return sum;
}

int Group::capacity(cloud::Lifecycle lifecycle) const {
  int sum = 0;
  for (const Member& member : members)
    if (member.lifecycle == lifecycle) sum += weight_of(member);
  return sum;
}

}  // namespace sim::autoscaling
