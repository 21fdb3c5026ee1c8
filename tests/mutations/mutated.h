// In the programs that the patches of this folder are built into, and in no other.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

// Whether the program shows this deliberate bug: the one that SPOTSIM_MUTATION names.
inline bool mutated(std::string_view bug) {
  static const std::string chosen = [] {
    const char* const name = std::getenv("SPOTSIM_MUTATION");
    return std::string(name ? name : "");
  }();
  return bug == chosen;
}
