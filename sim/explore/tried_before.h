// The runs of a search, kept in a file as they are made, so that a search that was ended goes on.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "sim/explore/runner.h"

namespace sim::explore {

// A line of that file, without its end, and the inverse; throws nlohmann's exceptions.
std::string line_of(const Tried& tried);
Tried tried_of(const std::string& line);

class TriedBefore {
 public:
  // Reads `file` if it is there and of the same `search` (identity.h), else begins it anew. Throws
  // run::RunError: it cannot be written.
  TriedBefore(std::filesystem::path file, const std::string& search);

  const Tried* find(const PlanText& plan) const;
  // Appends it. False: it is there already.
  bool keep(const Tried& tried);

 private:
  std::filesystem::path file_;
  std::map<PlanText, Tried> tried_;
  std::ofstream out_;
};

}  // namespace sim::explore
