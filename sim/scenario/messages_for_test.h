// For tests: the messages that a reader of scenario or sweep files reports about a text.
#pragma once

#include <filesystem>
#include <string>

#include "sim/scenario/scenario.h"

namespace sim::scenario {

// The messages that `read` throws, without the folder; empty when it throws none.
template <typename Read>
std::string messages_of(const Read& read, const std::filesystem::path& folder) {
  try {
    read();
  } catch (const ScenarioError& error) {
    std::string what = error.what();
    const std::string prefix = folder.string() + "/";
    for (auto at = what.find(prefix); at != std::string::npos; at = what.find(prefix))
      what.erase(at, prefix.size());
    return what;
  }
  return "";
}

}  // namespace sim::scenario
