#include "sim/result/missing_permission.h"

#include <fmt/format.h>

#include <string_view>

namespace sim::result {
namespace {

// Explains a reason: "implicit" means that no policy allows the call.
std::string_view why_missing(std::string_view reason) {
  if (reason == "explicit") return "a policy denies it";
  if (reason == "boundary") return "the permissions boundary does not allow it";
  if (reason == "session") return "the session policy does not allow it";
  if (reason == "trust") return "the role's trust policy does not allow it";
  return "no policy allows it";
}

}  // namespace

std::string in_words(const MissingPermission& missing) {
  return fmt::format("{} ({}): {} on {}, {} {}", missing.principal, missing.caller,
                     why_missing(missing.reason), missing.resource, missing.calls,
                     missing.calls == 1 ? "call" : "calls");
}

}  // namespace sim::result
