// Lists in one text, as in requests: "us-west-2a, us-west-2b".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace base {

// The parts between commas, without blanks around them. Empty parts are left out.
std::vector<std::string> split_comma_list(std::string_view text);

}  // namespace base
