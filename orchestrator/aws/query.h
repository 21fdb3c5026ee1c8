// The EC2 Query protocol's requests: form-encoded parameters with flattened lists and structures.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spotrun::aws {

using Parameters = std::vector<std::pair<std::string, std::string>>;

// application/x-www-form-urlencoded; all but RFC 3986's unreserved characters are escaped.
std::string form_encode(const Parameters& parameters);

// Appends a JSON value as the CLI's --cli-input-json takes it, below `prefix`
// ("SpotFleetRequestConfig"): lists become NAME.1, NAME.2, …, members NAME.Member, and the members
// that EC2 calls otherwise on the wire get that name (botocore's ec2/2016-11-15/service-2.json,
// locationName). Throws std::invalid_argument with the JSON pointer of a null.
void flatten(const nlohmann::json& value, const std::string& prefix, Parameters& parameters);

}  // namespace spotrun::aws
