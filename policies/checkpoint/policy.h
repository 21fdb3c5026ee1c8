// Checkpoint policies: when a training program saves. One .cpp a policy, one row each in kinds.cpp;
// used by the trainer and by models of trainers alike.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace policies {

// What a policy may look at, asked after every finished step.
struct CheckpointState {
  std::int64_t step = 0;             // finished steps; 1 after the first
  std::int64_t steps_per_epoch = 1;  // the step that ends epoch e is e × steps_per_epoch
  std::chrono::nanoseconds now{};    // on a clock that never goes back
  // The last durable checkpoint; what training began with when there is none yet.
  std::int64_t last_checkpoint_step = 0;
  std::chrono::nanoseconds last_checkpoint_time{};
  bool notice = false;  // the program was told to stop after this step
};

// True when a checkpoint should be taken now.
using CheckpointPolicy = std::function<bool(const CheckpointState&)>;

// A row of the table of policies: written "name" or, when it has an argument, "name:ARGUMENT".
struct CheckpointPolicyKind {
  std::string_view name;
  std::string_view argument;  // what the argument is called; empty when it takes none
  std::string_view meaning;
  // Throws std::invalid_argument saying what was expected of the argument.
  CheckpointPolicy (*make)(std::string_view argument);
};

// All that exist, in the order in which help shows them.
const std::vector<CheckpointPolicyKind>& checkpoint_policy_kinds();

// One or several policies in a comma list, any of which may ask for a checkpoint.
class CheckpointPolicies {
 public:
  // Reads "epoch,steps:20"; throws std::invalid_argument naming what was found and what is known.
  explicit CheckpointPolicies(std::string_view text);

  // The text of the first policy that wants a checkpoint now; empty when none does. All of them see
  // every state.
  std::optional<std::string> decide(const CheckpointState& state) const;

 private:
  struct Named {
    std::string text;
    CheckpointPolicy decide;
  };
  std::vector<Named> policies_;
};

}  // namespace policies
