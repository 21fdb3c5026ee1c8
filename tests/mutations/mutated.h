// Only for programs that include a patch of this folder.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

// Whether the program has this deliberate bug: SPOTSIM_MUTATION names one bug.
inline bool mutated(std::string_view bug) {
  static const std::string chosen = [] {
    const char* const name = std::getenv("SPOTSIM_MUTATION");
    return std::string(name ? name : "");
  }();
  return bug == chosen;
}
