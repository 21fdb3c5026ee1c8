// Filter policies of SNS's subscriptions (SNS Developer Guide, "Amazon SNS subscription filter
// policies" and "Filter policy constraints").
#pragma once

#include <string>
#include <string_view>

namespace sim::messaging {

// What a policy looks at: FilterPolicyScope.
enum class FilterScope { kMessageAttributes, kMessageBody };

// Throws ApiError InvalidParameter unless the text is a policy that SNS accepts: JSON, at most five
// keys, at most 150 combinations of values, and known filters. AWS's texts also have the place in
// the policy (" at [Source: …; line: 1, column: 9]"), which is left out here. `where` begins the
// text: "Attributes Reason: " for Subscribe.
void check_filter_policy(const std::string& text, FilterScope scope, std::string_view where);

}  // namespace sim::messaging
