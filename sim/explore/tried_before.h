// The runs of a search, kept in a file as they are made, so that a search that was ended goes on.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "sim/explore/identity.h"
#include "sim/explore/runner.h"

namespace sim::explore {

// A line of that file, without its end, and the inverse; throws nlohmann's exceptions.
std::string line_of(const Tried& tried);
Tried tried_of(const std::string& line);

class TriedBefore {
 public:
  // Reads `file` if it is there and of the same search, else begins it anew; one of another search
  // is kept beside, by a name that nothing has yet: runs.jsonl.before, runs.jsonl.before-2 … Throws
  // run::RunError: it cannot be written.
  TriedBefore(std::filesystem::path file, const Identity& search);

  // Why, and where the other search's file is now; empty: there was none.
  const std::string& begun_anew() const { return begun_anew_; }

  const Tried* find(const PlanText& plan) const;
  // Appends it. False: it is there already.
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
