// The phases of an operation on a stack: the stack's status in each phase, and the phase that
// follows.
#pragma once

#include <algorithm>
#include <string_view>

namespace sim::stacks {

enum class Phase {
  kNone,
  kCreate,
  kRollback,
  kUpdate,
  kCleanup,
  kUpdateRollback,
  kRollbackCleanup,
  kDelete
};

struct PhaseRow {
  Phase phase;
  std::string_view in_progress;
  std::string_view complete;  // empty: the next phase follows at once
  std::string_view failed;
  Phase next = Phase::kNone;        // after success
  Phase on_failure = Phase::kNone;  // after failure, unless rollback is disabled
  bool stops_at_failure = false;    // the first failure cancels all other steps
};

inline constexpr std::string_view kReviewInProgress = "REVIEW_IN_PROGRESS";

// CloudFormation User Guide, "Stack status codes".
inline constexpr PhaseRow kPhases[] = {
    {Phase::kCreate, "CREATE_IN_PROGRESS", "CREATE_COMPLETE", "CREATE_FAILED", Phase::kNone,
     Phase::kRollback, true},
    {Phase::kRollback, "ROLLBACK_IN_PROGRESS", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED"},
    {Phase::kUpdate, "UPDATE_IN_PROGRESS", "", "UPDATE_FAILED", Phase::kCleanup,
     Phase::kUpdateRollback, true},
    // If the cleanup cannot remove a resource, the resource remains and the update is complete.
    {Phase::kCleanup, "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", "UPDATE_COMPLETE", "UPDATE_COMPLETE"},
    {Phase::kUpdateRollback, "UPDATE_ROLLBACK_IN_PROGRESS", "", "UPDATE_ROLLBACK_FAILED",
     Phase::kRollbackCleanup, Phase::kNone, true},
    {Phase::kRollbackCleanup, "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
     "UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"},
    {Phase::kDelete, "DELETE_IN_PROGRESS", "DELETE_COMPLETE", "DELETE_FAILED"},
};

constexpr const PhaseRow& row_of(Phase phase) {
  return *std::ranges::find(kPhases, phase, &PhaseRow::phase);
}

}  // namespace sim::stacks
