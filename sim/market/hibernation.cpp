#include "sim/market/hibernation.h"

#include <algorithm>
#include <iterator>

namespace sim::market {
namespace {

// The page lists no family with accelerators.
constexpr std::string_view kFamilies[] = {
    "c3",    "c4",   "c5",  "c5d",  "c6a",  "c6g",  "c6gd",     "c6gn", "c6i",  "c6id",
    "c6in",  "c7a",  "c7g", "c7gd", "c7gn", "c7i",  "c7i-flex", "i3",   "i3en", "m3",
    "m4",    "m5",   "m5a", "m5ad", "m5d",  "m6a",  "m6g",      "m6gd", "m6i",  "m6id",
    "m6idn", "m6in", "m7a", "m7g",  "m7gd", "m7i",  "m7i-flex", "r3",   "r4",   "r5",
    "r5a",   "r5ad", "r5b", "r5d",  "r6a",  "r6g",  "r6gd",     "r6i",  "r6id", "r6idn",
    "r6in",  "r7a",  "r7g", "r7gd", "r7i",  "r7iz", "t2",       "t3",   "t3a",  "t4g"};
constexpr int kLeastTooMuchMib = 150 * 1024;  // "must be less than 150 GiB"

}  // namespace

std::string hibernation_obstacle(const InstanceType& type) {
  const std::string_view family = std::string_view(type.name).substr(0, type.name.find('.'));
  if (type.name.ends_with(".metal") || std::ranges::find(kFamilies, family) == std::end(kFamilies))
    return "The instance type '" + type.name + "' does not support hibernation.";
  if (type.memory_mib >= kLeastTooMuchMib)
    return "The instance type '" + type.name +
           "' does not support hibernation: its memory is not less than 150 GiB.";
  return {};
}

}  // namespace sim::market
