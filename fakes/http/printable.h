#pragma once

#include <string>
#include <string_view>

namespace fakes {

// Replaces bytes outside printable ASCII by %XX, so that any request line can be logged.
std::string percent_encode_unprintable(std::string_view text);

}  // namespace fakes
