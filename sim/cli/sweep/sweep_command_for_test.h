// Tests only: the folder and the commands that tests of `spotsim sweep` share.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "sim/cli/command_for_test.h"
#include "sim/cli/commands.h"

namespace sim::cli {

// Calls `spotsim sweep` and `spotsim merge` on s.yaml in a folder of the test's own.
class SweepOnTheCommandLine : public OnTheCommandLine {
 protected:
  SweepOnTheCommandLine() : OnTheCommandLine({add_sweep_commands}) {}

  void write(const std::string& sweep) const { std::ofstream(folder_ / "s.yaml") << sweep; }

  int sweep(const std::string& more, const std::string& out) {
    return spotsim("sweep " + path("s.yaml") + " --out " + path(out) + " " + more);
  }
  void expect_same_results(const std::string& one, const std::string& other) const {
    for (const char* file : {"runs.csv", "summary.csv", "results.db"}) {
      EXPECT_FALSE(contents_of(folder_ / one / file).empty()) << file;
      EXPECT_EQ(contents_of(folder_ / one / file), contents_of(folder_ / other / file)) << file;
    }
  }
};

}  // namespace sim::cli
