#include "policies/checkpoint/policy.h"

#include <stdexcept>

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

[[noreturn]] void reject(std::string_view text, std::string_view why) {
  throw std::invalid_argument("checkpoint policy '" + std::string(text) + "': " + std::string(why) +
                              "; known: " + known_policies());
}

CheckpointPolicy make_policy(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const bool has_argument = colon != std::string_view::npos;
  for (const CheckpointPolicyKind& kind : checkpoint_policy_kinds()) {
    if (kind.name != name) continue;
    if (has_argument && kind.argument.empty()) reject(text, "takes no argument");
    if (!has_argument && !kind.argument.empty()) reject(text, "needs an argument");
    try {
      return kind.make(has_argument ? text.substr(colon + 1) : std::string_view());
    } catch (const std::invalid_argument& error) {
      reject(text, error.what());
    }
  }
  reject(text, text.empty() ? "is empty" : "is unknown");
}

}  // namespace

CheckpointPolicies::CheckpointPolicies(std::string_view text) {
  for (;;) {
    const auto comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    policies_.push_back({std::string(one), make_policy(one)});
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::string> CheckpointPolicies::decide(const CheckpointState& state) const {
  std::optional<std::string> reason;
  for (const Named& policy : policies_) {
    if (policy.decide(state) && !reason) reason = policy.text;
  }
  return reason;
}

}  // namespace policies
