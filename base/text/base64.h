// Base64 with the standard alphabet (RFC 4648 section 4), as user data travels.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace base {

std::string base64_encode(std::string_view bytes);

// Blanks, tabs and line ends are skipped. Empty if the text is not base64.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace base
