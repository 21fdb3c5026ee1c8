// Base64 (RFC 4648 section 4), as user data travels.
#pragma once

#include <string>
#include <string_view>

namespace spotrun::aws {

std::string base64(std::string_view bytes);

}  // namespace spotrun::aws
