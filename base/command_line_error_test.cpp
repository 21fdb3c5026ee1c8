#include "base/command_line_error.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace base {
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
            "(see --help)");
  EXPECT_EQ(said_of({"valdate", "x.yaml"}),
            "spotsim: found unknown command \"valdate\", expected \"validate\"; there are "
            "run, validate, trace (see --help)");
  EXPECT_EQ(said_of({"trace", "imprt"}),
            "spotsim trace: found unknown command \"imprt\", expected \"import\"; there are "
            "import (see --help)");
  EXPECT_EQ(said_of({"trace"}),
            "spotsim trace: found no command, expected one of import (see --help)");
}

TEST(UnknownCommand, IsNeitherAnArgumentNorAnOption) {
  EXPECT_EQ(said_of({"run", "validat"}), "");
  EXPECT_EQ(said_of({"--help"}), "");
  EXPECT_EQ(said_of({"trace", "--help"}), "");
}

// The message for a call of an app that has one command with each kind of option.
std::string wrong_with(std::vector<std::string> words) {
  CLI::App app;
  app.name("p");
  CLI::App* run = app.add_subcommand("run");
  std::string file, colour, kind;
  int threads = 0, seed = 0, guest = 0;
  double rate = 0;
  run->add_option("FILE", file)->required();
  run->add_option("--threads", threads)->check(CLI::Range(1, 8));
  run->add_option("--seed", seed)->check(CLI::NonNegativeNumber);
  run->add_option("--rate", rate);
  run->add_option("--colour", colour)->check(CLI::IsMember({"red", "blue"}));
  run->add_option("--guest", guest)
      ->transform(CLI::CheckedTransformer(std::map<std::string, int>{{"fiber", 1}, {"mpi", 0}}));
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  }
  return "nothing";
}

TEST(UsageError, StatesWhatWasFoundAndWhatIsExpected) {
  EXPECT_EQ(wrong_with({"run", "f", "--threads", "3"}), "nothing");
  EXPECT_EQ(wrong_with({"run", "f", "--thread", "3"}),
            "p run: found unknown option \"--thread\", expected \"--threads\" (see --help)");
  EXPECT_EQ(wrong_with({"run", "f", "--zzzzzzzzzzz=3"}),
            "p run: found unknown option \"--zzzzzzzzzzz\", expected one of --colour, --guest, "
            "--help, --rate, --seed, --threads (see --help)");
  EXPECT_EQ(wrong_with({"--seed", "3", "run", "f"}),
            "p run: found --seed before \"run\", expected it after the command");
  EXPECT_EQ(wrong_with({"run", "--rte", "3"}),
            "p run: found unknown option \"--rte\", expected \"--rate\" (see --help)");
  EXPECT_EQ(wrong_with({"run", "f", "g"}), "p run: found \"g\", expected nothing more");
  EXPECT_EQ(wrong_with({"run"}), "p run: FILE is required (see --help)");
  EXPECT_EQ(wrong_with({"run", "f", "--threads", "0"}),
            "p run: --threads: found \"0\", expected a number from 1 to 8");
  EXPECT_EQ(wrong_with({"run", "f", "--seed", "x"}),
            "p run: --seed: found \"x\", expected a number from 0");
  EXPECT_EQ(wrong_with({"run", "f", "--rate", "x"}),
            "p run: --rate: found \"x\", expected a number");
  EXPECT_EQ(wrong_with({"run", "f", "--colour", "green"}),
            "p run: --colour: found \"green\", expected one of red, blue");
  EXPECT_EQ(wrong_with({"run", "f", "--guest", "fibre"}),
            "p run: --guest: found \"fibre\", expected one of fiber, mpi");
  EXPECT_EQ(wrong_with({"run", "f", "--colour", "a: b not in {c} not in {d}"}),
            "p run: --colour: found \"a: b not in {c} not in {d}\", expected one of red, blue");
}

// A matcher that recurses for each character overflows the stack.
TEST(UsageError, QuotesAValueOfAnyLength) {
  const std::string value(100'000, 'x');
  EXPECT_EQ(wrong_with({"run", "f", "--rate", value}),
            "p run: --rate: found \"" + value + "\", expected a number");
}

}  // namespace
}  // namespace base
