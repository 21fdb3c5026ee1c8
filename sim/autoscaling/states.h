// The lifecycle states of a group's instances and the steps between them, as a table (EC2 Auto
// Scaling User Guide, "Amazon EC2 Auto Scaling instance lifecycle").
#pragma once

#include <span>
#include <string_view>

namespace sim::autoscaling {

enum class LifecycleState {
  kPending,
  kPendingWait,
  kPendingProceed,
  kInService,
  kEnteringStandby,
  kStandby,
  kTerminating,
  kTerminatingWait,
  kTerminatingProceed,
  kTerminated,
  kDetaching,
  kDetached
};
// "Pending:Wait", as AWS writes it.
std::string_view name(LifecycleState state);

// One allowed step; `from` is empty for an instance that is new in its group.
struct Step {
  std::string_view from, to;
};
std::span<const Step> steps();
bool allowed(std::string_view from, std::string_view to);

inline bool is_pending(LifecycleState s) {
  return s == LifecycleState::kPending || s == LifecycleState::kPendingWait ||
         s == LifecycleState::kPendingProceed;
}
// The instance leaves its group: it does not count as capacity any more.
inline bool is_leaving(LifecycleState s) { return s >= LifecycleState::kTerminating; }

// Status codes of scaling activities (API reference, Activity).
enum class ActivityStatus {
  kPreInService,
  kInProgress,
  kMidLifecycleAction,
  kSuccessful,
  kFailed,
  kCancelled
};
std::string_view name(ActivityStatus status);
inline bool has_ended(ActivityStatus s) { return s >= ActivityStatus::kSuccessful; }

}  // namespace sim::autoscaling
