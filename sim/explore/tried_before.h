// Stores each run of a search in a file at once. A search that was interrupted continues with the
// runs in its file.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "sim/explore/identity.h"
#include "sim/explore/runner.h"

namespace sim::explore {

// A line of that file without its end, and the inverse, which throws nlohmann's exceptions.
std::string line_of(const Tried& tried);
Tried tried_of(const std::string& line);

class TriedBefore {
 public:
  // Reads `file` if it belongs to the same search, else begins a new file. A file of another search
  // is renamed to an unused name: runs.jsonl.before, runs.jsonl.before-2 … Throws run::RunError if
  // the file cannot be written.
  TriedBefore(std::filesystem::path file, const Identity& search);

  // Why the search began a new file, and where the other file is now. Empty if it did not.
  const std::string& begun_anew() const { return begun_anew_; }

  const Tried* find(const PlanText& plan) const;
  // Appends a run. False if it is in the file already.
  bool keep(const Tried& tried);

 private:
  void read(std::ifstream& runs);
  void write_again(const Identity& search);
  void keep_beside(const std::string& why);

  std::filesystem::path file_;
  std::string begun_anew_;
  std::map<PlanText, Tried> tried_;
  std::ofstream out_;
};

}  // namespace sim::explore
