#include "fakes/ssm/parameter_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/cloud/error.h"
#include "sim/kernel/shallow_json.h"

namespace fakes::ssm {
namespace {

using sim::Json;
using sim::cloud::ApiError;

constexpr std::size_t kMostPolicies = 10;
constexpr std::string_view kExpiration = "Expiration", kNotice = "ExpirationNotification",
                           kNoChange = "NoChangeNotification";

ApiError invalid_attribute(std::string_view type, std::string_view name) {
  return {"InvalidPolicyAttributeException",
          fmt::format("The attribute {} of the policy {} is missing or invalid.", name, type)};
}

std::string attribute(const Json& policy, std::string_view type, std::string_view name) {
  const auto attributes = policy.find("Attributes");
  if (attributes == policy.end() || !attributes->is_object()) throw invalid_attribute(type, name);
  const auto found = attributes->find(name);
  if (found == attributes->end() || !found->is_string()) throw invalid_attribute(type, name);
  return found->get<std::string>();
}

// A number of days or hours, in the attributes `name` and Unit.
sim::Duration read_offset(const Json& policy, std::string_view type, std::string_view name) {
  constexpr int kMost = 100'000;
  const std::string text = attribute(policy, type, name);
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number < 0 || number > kMost)
    throw invalid_attribute(type, name);
  const std::string unit = attribute(policy, type, "Unit");
  if (unit == "Days") return std::chrono::days{number};
  if (unit == "Hours") return std::chrono::hours{number};
  throw invalid_attribute(type, "Unit");
}

ParameterPolicy read_policy(const Json& policy) {
  const auto member = [&](const char* name) {
    const auto found = policy.is_object() ? policy.find(name) : policy.end();
    return policy.is_object() && found != policy.end() && found->is_string()
               ? found->get<std::string>()
               : std::string();
  };
  ParameterPolicy read{.type = member("Type"), .text = policy.dump()};
  if (read.type != kExpiration && read.type != kNotice && read.type != kNoChange)
    throw ApiError("InvalidPolicyTypeException",
                   "The policy type isn't supported. Parameter Store supports the following policy "
                   "types: Expiration, ExpirationNotification, and NoChangeNotification.");
  if (member("Version") != "1.0") throw invalid_attribute(read.type, "Version");
  if (read.type == kExpiration) {
    read.expires = sim::parse_time(attribute(policy, read.type, "Timestamp"));
    if (!read.expires) throw invalid_attribute(read.type, "Timestamp");
  } else {
    read.offset = read_offset(policy, read.type, read.type == kNotice ? "Before" : "After");
  }
  return read;
}

// The sum, or the end of the clock's range that is beyond it.
sim::Time add(sim::Time time, sim::Duration offset) {
  const bool after = offset > sim::Duration::zero();
  if (after && time > sim::Time::max() - offset) return sim::Time::max();
  if (!after && time < sim::Time::min() - offset) return sim::Time::min();
  return time + offset;
}

}  // namespace

ParameterPolicies read_policies(const std::string& text) {
  ParameterPolicies policies;
  if (text.empty()) return policies;
  const Json json = sim::parse_shallow_json(text);
  if (!json.is_array() && !(json.is_object() && json.empty()))
    throw ApiError("ValidationException", "Invalid policies input: a JSON array is expected.");
  if (json.size() > kMostPolicies)
    throw ApiError("PoliciesLimitExceededException",
                   "You specified more than the maximum number of allowed policies for the "
                   "parameter. The maximum is 10.");
  for (const Json& policy : json)
    if (!policy.empty()) policies.push_back(read_policy(policy));
  if (std::ranges::count(policies, kExpiration, &ParameterPolicy::type) > 1)
    throw ApiError("IncompatiblePolicyException",
                   "There is a conflict in the policies specified for this parameter. You can't, "
                   "for example, specify two Expiration policies for a parameter. Review your "
                   "policies, and try again.");
  return policies;
}

std::optional<sim::Time> due_time(const ParameterPolicies& all, const ParameterPolicy& policy,
                                  sim::Time modified) {
  if (policy.type == kNoChange) return add(modified, policy.offset);
  for (const ParameterPolicy& other : all)
    if (other.expires) return add(*other.expires, -policy.offset);
  return {};
}

}  // namespace fakes::ssm
