// Checkpoint policies decide when a training program saves. The trainer and the models of trainers
// use the same policies. Each policy has a make_ function in the file of its family, and a row in
// kinds.cpp. docs/policies.md describes all policies.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "policies/checkpoint/state.h"

namespace policies {

// The request of a policy: nothing, an incremental checkpoint (changes since the last full one), or
// a full one.
enum class Save { no, incremental, full };
inline Save full_if(bool wanted) { return wanted ? Save::full : Save::no; }

struct CheckpointPolicy {
  // Called after every step, only while all of `needs` are known. It may have state.
  std::function<Save(const CheckpointState&)> decide;
  std::vector<Input> needs = {};
  // How much computing the policy will certainly not want a checkpoint for, after it decided
  // against one or has just saved. News ends this time: a notice, a recommendation, a hop, another
  // price. If the function is empty, the policy must be asked after every step.
  std::function<Duration(const CheckpointState&)> quiet = {};
};

// CheckpointPolicy::quiet of a policy that depends only on such news.
inline Duration quiet_until_told(const CheckpointState&) { return Duration::max(); }

// A row of the table of policies: written "name" or, when it has an argument, "name:ARGUMENT".
struct CheckpointPolicyKind {
  std::string_view name;
  std::string_view argument;  // name of the argument; empty: it takes none
  std::string_view meaning;
  // Throws std::invalid_argument with what was expected of the argument.
  CheckpointPolicy (*make)(std::string_view argument);
  // The policy needs the spot price, the bid or the next interruption. Models of trainers provide
  // them, training programs never do.
  bool for_models_only = false;
};

// All policies, in the order of the help text.
const std::vector<CheckpointPolicyKind>& checkpoint_policy_kinds();

// A policy that cannot go on, as when its program has died.
struct PolicyFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CheckpointWish {
  std::string policy;  // the text of the first policy that wants it
  Save size = Save::full;
};

// One or several policies in a comma list. Each may request a checkpoint.
class CheckpointPolicies {
 public:
  // Reads "epoch,steps:20". A comma in quotes (words.h) does not separate. Throws
  // std::invalid_argument with what was found and which policies exist.
  explicit CheckpointPolicies(std::string_view text);

  // Throws std::invalid_argument with the policy and the input if one needs a value that a program
  // with only these values never provides.
  void require(std::span<const Input> supplied) const;

  // True if one of the policies needs the value.
  bool need(Input input) const;

  // The checkpoint that the policies request now: full if any of them requests a full one, else
  // incremental; empty for none. All policies see every state, but only those that need it see the
  // next interruption. A policy waits for values that are not known yet. If only the checkpoint's
  // cost is missing, it requests a checkpoint, which measures the cost. Throws PolicyFailed.
  std::optional<CheckpointWish> decide(const CheckpointState& state);

  // The common CheckpointPolicy::quiet of all; zero if one does not know it.
  Duration quiet(const CheckpointState& state) const;

 private:
  struct Named {
    std::string text;
    CheckpointPolicy policy;
  };
  std::vector<Named> policies_;
};

// Reads policies and asks them once, as after a first step on a spot instance, so that a broken
// program is found before a run. Throws std::invalid_argument and PolicyFailed.
void try_checkpoint_policies(std::string_view text);

}  // namespace policies
