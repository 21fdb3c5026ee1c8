// Prints messages about a training on standard error.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace spottrain {

template <typename... Args>
void complain(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fprintf(stderr, "spottrain: %s\n", text.c_str());
}

}  // namespace spottrain
