// Percent encoding (RFC 3986, section 2.1).
#pragma once

#include <string>
#include <string_view>

namespace base {

// Encodes all characters as %XX, except unreserved ones and those of `safe`.
void append_percent(std::string& out, std::string_view text, std::string_view safe = "");

}  // namespace base
