#include "policies/checkpoint/policy.h"

#include <algorithm>
#include <stdexcept>

#include "policies/checkpoint/words.h"

namespace policies {
namespace {

std::string known_policies() {
  std::string text;
  for (const CheckpointPolicyKind& kind : checkpoint_policy_kinds()) {
    if (!text.empty()) text += ", ";
    text += kind.name;
    if (!kind.argument.empty()) text.append(":").append(kind.argument);
  }
  return text;
}

[[noreturn]] void reject(std::string_view text, const std::string& why) {
  throw std::invalid_argument("checkpoint policy '" + std::string(text) + "': " + why);
}

CheckpointPolicy make_policy(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const bool has_argument = colon != std::string_view::npos;
  for (const CheckpointPolicyKind& kind : checkpoint_policy_kinds()) {
    if (kind.name != name) continue;
    if (has_argument && kind.argument.empty()) reject(text, "takes no argument");
    if (!has_argument && !kind.argument.empty())
      reject(text,
             "needs an argument, as " + std::string(kind.name) + ":" + std::string(kind.argument));
    try {
      return kind.make(has_argument ? text.substr(colon + 1) : std::string_view());
    } catch (const std::invalid_argument& error) {
      reject(text, error.what());
    }
  }
  reject(text, (text.empty() ? "is empty; known: " : "is unknown; known: ") + known_policies());
}

bool contains(std::span<const Input> inputs, Input input) {
  return std::find(inputs.begin(), inputs.end(), input) != inputs.end();
}

bool knows_enough(const CheckpointPolicy& policy, const CheckpointState& state) {
  return std::ranges::all_of(policy.needs, [&](Input input) { return is_known(state, input); });
}

Save ask(const CheckpointPolicy& policy, const CheckpointState& state) {
  if (state.next_interruption && !contains(policy.needs, Input::next_interruption)) {
    CheckpointState past = state;
    past.next_interruption.reset();
    past.next_save.reset();
    return ask(policy, past);
  }
  if (knows_enough(policy, state)) return policy.decide(state);
  const bool of_cost =
      !is_known(state, Input::checkpoint_cost) && contains(policy.needs, Input::checkpoint_cost);
  return full_if(of_cost && !state.persisting && state.last_checkpoint_step != state.step);
}

}  // namespace

CheckpointPolicies::CheckpointPolicies(std::string_view text) {
  for (const std::string_view one : split_list(text))
    policies_.push_back({std::string(one), make_policy(one)});
}

void CheckpointPolicies::require(std::span<const Input> supplied) const {
  for (const Named& named : policies_) {
    for (const Input input : named.policy.needs) {
      if (contains(supplied, input)) continue;
      throw std::invalid_argument("checkpoint policy '" + named.text + "': needs to know " +
                                  std::string(description(input)) + ", which is not known here");
    }
  }
}

bool CheckpointPolicies::need(Input input) const {
  return std::ranges::any_of(
      policies_, [&](const Named& named) { return contains(named.policy.needs, input); });
}

std::optional<CheckpointWish> CheckpointPolicies::decide(const CheckpointState& state) {
  std::optional<CheckpointWish> wish;
  for (const Named& named : policies_) {
    const Save size = ask(named.policy, state);
    if (size == Save::no || (wish && wish->size >= size)) continue;
    wish = {named.text, size};
  }
  return wish;
}

Duration CheckpointPolicies::quiet(const CheckpointState& state) const {
  Duration least = Duration::max();
  for (const auto& [text, policy] : policies_) {
    const bool sure = policy.quiet && knows_enough(policy, state);
    least = std::min(least, sure ? policy.quiet(state) : Duration::zero());
  }
  return least;
}

void try_checkpoint_policies(std::string_view text) {
  using namespace std::chrono_literals;
  CheckpointPolicies(text).decide({.step = 1,
                                   .steps_per_epoch = 100,
                                   .now = std::chrono::sys_days(2020y / 1 / 1).time_since_epoch(),
                                   .step_time = 1s,
                                   .restart_cost = 2min,
                                   .remaining_work = 1h,
                                   .since_launch = 2min,
                                   .lives = std::span<const Duration>(),
                                   .price = 0.25,
                                   .bid = 1.0});
}

}  // namespace policies
