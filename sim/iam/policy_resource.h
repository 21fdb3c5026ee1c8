// Texts with their own syntax in a policy document: resources and dates.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sim::iam {

inline constexpr std::string_view kLegacyFault = "The policy failed legacy parsing";

// The error in an element of Resource, in AWS's wording. Empty if the element is valid.
std::string resource_fault(const std::string& resource);
// True if a condition's date is an ISO 8601 time or seconds since 1970.
bool is_policy_date(const std::string& text);
// Such a date in seconds since 1970; empty for anything else.
std::optional<double> seconds_of_date(const std::string& text);

}  // namespace sim::iam
