// Letters of ASCII in lower case: host names, header names and words that are the same in both.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace base {

inline std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return out;
}

}  // namespace base
