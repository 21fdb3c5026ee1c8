#pragma once

#include <string>
#include <string_view>

namespace fakes {

// Bytes outside printable ASCII become %XX, so that any request line can stand in the log.
std::string percent_encode_unprintable(std::string_view text);

}  // namespace fakes
