#include "api/http.h"

#include <algorithm>
#include <cctype>

namespace api {

const std::string* Headers::find(std::string_view name) const {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  for (const auto& [key, value] : *this)
    if (std::ranges::equal(key, name, same)) return &value;
  return nullptr;
}

}  // namespace api
