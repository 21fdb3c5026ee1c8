#include "sim/autoscaling/states.h"

#include <algorithm>

namespace sim::autoscaling {
namespace {

constexpr Step kSteps[] = {
    {"", "Pending"},
    {"Pending", "InService"},
    {"Pending", "Pending:Wait"},  // the group has launching hooks
    {"Pending:Wait", "Pending:Proceed"},
    {"Pending:Proceed", "InService"},
    {"Pending", "Terminating"},
    {"Pending:Wait", "Terminating"},
    {"Pending:Proceed", "Terminating"},

    {"InService", "EnteringStandby"},
    {"EnteringStandby", "Standby"},
    {"Standby", "Pending"},
    {"Standby", "Terminating"},

    {"InService", "Terminating"},
    {"Terminating", "Terminating:Wait"},  // the group has terminating hooks
    {"Terminating:Wait", "Terminating:Proceed"},
    {"Terminating:Proceed", "Terminated"},
    {"Terminating", "Terminated"},

    {"InService", "Detaching"},
    {"Standby", "Detaching"},
    {"Detaching", "Detached"},
};

}  // namespace

std::string_view name(LifecycleState state) {
  static constexpr std::string_view kNames[] = {
      "Pending",   "Pending:Wait", "Pending:Proceed",  "InService",           "EnteringStandby",
      "Standby",   "Terminating",  "Terminating:Wait", "Terminating:Proceed", "Terminated",
      "Detaching", "Detached"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view name(ActivityStatus status) {
  static constexpr std::string_view kNames[] = {"PreInService", "InProgress", "MidLifecycleAction",
                                                "Successful",   "Failed",     "Cancelled"};
  return kNames[static_cast<std::size_t>(status)];
}

std::span<const Step> steps() { return kSteps; }

bool allowed(std::string_view from, std::string_view to) {
  return std::ranges::any_of(kSteps, [&](const Step& s) { return s.from == from && s.to == to; });
}

}  // namespace sim::autoscaling
