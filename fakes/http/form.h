// Form-encoded parameters ("a=1&b=two%20words") as they come in a query string or a POST body.
#pragma once

#include <boost/container/flat_map.hpp>
#include <functional>
#include <string>
#include <string_view>

namespace fakes {

// Decoded parameters by name.
using Form = boost::container::flat_map<std::string, std::string, std::less<>>;

// Adds the parameters in `encoded` to `form`. Throws sim::cloud::ApiError MalformedQueryString for
// a bad escape, for text that is no UTF-8 or has control characters other than tab and newlines,
// for a name that is empty or comes twice, and for more than 2,000 parameters.
void parse_form(std::string_view encoded, Form& form);

// "%2F" and "+" undone; the same errors.
std::string percent_decode(std::string_view text);

// Bytes outside printable ASCII become %XX, so that any request line can stand in the log.
std::string percent_encode_unprintable(std::string_view text);

}  // namespace fakes
