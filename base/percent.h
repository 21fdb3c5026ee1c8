// Percent encoding (RFC 3986, section 2.1).
#pragma once

#include <string>
#include <string_view>

namespace base {

// All but unreserved characters and those of `safe` become %XX.
void append_percent(std::string& out, std::string_view text, std::string_view safe = "");

}  // namespace base
