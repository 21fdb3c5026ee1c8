#include "base/text/comma_list.h"

#include <algorithm>

namespace base {

std::vector<std::string> split_comma_list(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto first = text.find_first_not_of(' ', begin);
    if (first < end) {
      const auto last = text.find_last_not_of(' ', end - 1);
      parts.emplace_back(text.substr(first, last - first + 1));
    }
    begin = end + 1;
  }
  return parts;
}

}  // namespace base
