#include "sim/cli/unknown_command.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sim::cli {
namespace {

std::string said_of(const std::vector<const char*>& words) {
  CLI::App app;
  app.name("spotsim");
  app.require_subcommand(1);
  app.add_subcommand("run");
  app.add_subcommand("validate")->add_option("SCENARIO");
  CLI::App* trace = app.add_subcommand("trace");
  trace->require_subcommand(1);
  trace->add_subcommand("import");
  return unknown_command(app, words).value_or("");
}

TEST(UnknownCommand, IsNamedWithANearOneAndAllThereAre) {
  EXPECT_EQ(said_of({"frobnicate"}),
            "spotsim: found unknown command \"frobnicate\", expected one of run, validate, trace "
            "(--help says more)");
  EXPECT_EQ(said_of({"valdate", "x.yaml"}),
            "spotsim: found unknown command \"valdate\", expected \"validate\"; there are "
            "run, validate, trace (--help says more)");
  EXPECT_EQ(said_of({"trace", "imprt"}),
            "spotsim trace: found unknown command \"imprt\", expected \"import\"; there are "
            "import (--help says more)");
  EXPECT_EQ(said_of({"trace"}),
            "spotsim trace: found no command, expected one of import (--help says more)");
}

TEST(UnknownCommand, IsNeitherAnArgumentNorAnOption) {
  EXPECT_EQ(said_of({"run", "validat"}), "");
  EXPECT_EQ(said_of({"--help"}), "");
  EXPECT_EQ(said_of({"trace", "--help"}), "");
}

}  // namespace
}  // namespace sim::cli
