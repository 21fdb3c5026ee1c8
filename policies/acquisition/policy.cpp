#include "policies/acquisition/policy.h"

#include <stdexcept>

namespace policies {
namespace {

std::string known_policies() {
  std::string known;
  for (const AcquisitionPolicyKind& kind : acquisition_policy_kinds()) {
    if (!known.empty()) known += ", ";
    known += kind.name;
    if (!kind.argument.empty()) known.append(":").append(kind.argument);
  }
  return known;
}

[[noreturn]] void reject(std::string_view text, const std::string& why) {
  throw std::invalid_argument("acquisition policy '" + std::string(text) + "': " + why);
}

}  // namespace

NamedAcquisitionPolicy make_acquisition_policy(std::string_view text) {
  const auto colon = text.find(':');
  const bool has_argument = colon != std::string_view::npos;
  for (const AcquisitionPolicyKind& kind : acquisition_policy_kinds()) {
    if (kind.name != text.substr(0, colon)) continue;
    if (has_argument && kind.argument.empty()) reject(text, "takes no argument");
    if (!has_argument && !kind.argument.empty())
      reject(text,
             "needs an argument, as " + std::string(kind.name) + ":" + std::string(kind.argument));
    try {
      return {std::string(text), kind.oracle,
              kind.make(has_argument ? text.substr(colon + 1) : std::string_view())};
    } catch (const std::invalid_argument& error) {
      reject(text, error.what());
    }
  }
  reject(text, (text.empty() ? "is empty; known: " : "is unknown; known: ") + known_policies());
}

}  // namespace policies
