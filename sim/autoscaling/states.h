// The lifecycle states of a group's instances and the allowed transitions, as a table (EC2 Auto
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
// AWS's name of the state, such as "Pending:Wait".
std::string_view name(LifecycleState state);

// An allowed transition. `from` is empty for an instance that is new in its group.
struct Step {
  std::string_view from, to;
};
std::span<const Step> steps();
bool allowed(std::string_view from, std::string_view to);

inline bool is_pending(LifecycleState s) {
  return s == LifecycleState::kPending || s == LifecycleState::kPendingWait ||
         s == LifecycleState::kPendingProceed;
}
// Whether the instance is leaving its group. It then does not count as capacity.
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
