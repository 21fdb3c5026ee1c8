#include "sim/cli/terminal/terminal_style.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "sim/cli/run/summary.h"
#include "sim/cli/run/what_happened.h"

namespace sim::cli {
namespace {

struct CloseStream {
  void operator()(std::FILE* stream) const { std::fclose(stream); }
};
using Stream = std::unique_ptr<std::FILE, CloseStream>;

// An end of a pseudo-terminal, with the environment that a terminal has.
class OnATerminal : public testing::Test {
 protected:
  OnATerminal() {
    setenv("TERM", "xterm-256color", 1);
    unsetenv("NO_COLOR");
    int terminal = -1;
    if (openpty(&other_end_, &terminal, nullptr, nullptr, nullptr) == 0)
      terminal_.reset(fdopen(terminal, "w"));
  }
  ~OnATerminal() override {
    if (other_end_ >= 0) close(other_end_);
  }
  void SetUp() override {
    if (!terminal_) GTEST_SKIP() << "this machine has no pseudo-terminals";
  }
  std::string heading() const { return Styler(terminal_.get())(Style::kHeading, "pool"); }

  Stream terminal_;

 private:
  int other_end_ = -1;
};

TEST_F(OnATerminal, EachStyleLooksDifferent) {
  const Styler styled(terminal_.get());
  EXPECT_EQ(styled(Style::kHeading, "pool"), "\033[1mpool\033[0m");
  EXPECT_EQ(styled(Style::kGood, "holds"), "\033[32mholds\033[0m");
  EXPECT_EQ(styled(Style::kWarning, "broken"), "\033[33mbroken\033[0m");
  EXPECT_EQ(styled(Style::kDim, "more"), "\033[2mmore\033[0m");
  EXPECT_EQ(styled(Style::kError, "FAILS"), "\033[1m\033[31mFAILS\033[0m");
}

TEST_F(OnATerminal, TheStyleEndsBeforeALineFeed) {
  EXPECT_EQ(Styler(terminal_.get())(Style::kHeading, "pool\n"), "\033[1mpool\033[0m\n");
}

TEST_F(OnATerminal, NoColorSetAndNotEmptyMeansPlainText) {
  setenv("NO_COLOR", "1", 1);
  EXPECT_EQ(heading(), "pool");
  setenv("NO_COLOR", "", 1);
  EXPECT_EQ(heading(), "\033[1mpool\033[0m");
}

TEST_F(OnATerminal, ADumbTerminalHasPlainText) {
  setenv("TERM", "dumb", 1);
  EXPECT_EQ(heading(), "pool");
}

TEST(Styler, LeavesTextUnchangedIfTheStreamIsNoTerminal) {
  const Stream file(std::tmpfile());
  for (const Style style :
       {Style::kError, Style::kGood, Style::kWarning, Style::kHeading, Style::kDim}) {
    EXPECT_EQ(Styler(file.get())(style, "text\n"), "text\n");
    EXPECT_EQ(Styler()(style, "text\n"), "text\n");
  }
}

TEST_F(OnATerminal, ASummaryWithoutItsColoursIsThePlainSummary) {
  result::Result result;
  result.outcome = "failed";
  result.deadline_met = false;
  result.attempts.resize(30);
  result.expectations = {{"attempts: 2", false, "1"}, {"outcome: failed", true, "failed"}};
  result.invariants = {{"nothing is running", false, "1 left"}, {"one volume", false, "2"}};
  result.invariants[1].excused_by = {"tagged_volumes: 2"};
  for (const auto& [coloured, plain] :
       {std::pair{summary(result, Styler(terminal_.get())), summary(result)},
        std::pair{what_happened(result, "out", Styler(terminal_.get())),
                  what_happened(result, "out")}}) {
    std::string bare = coloured;
    for (std::size_t begin = 0; (begin = bare.find("\033[", begin)) != bare.npos;)
      bare.erase(begin, bare.find('m', begin) + 1 - begin);
    EXPECT_NE(coloured, plain);
    EXPECT_EQ(bare, plain);
  }
}

}  // namespace
}  // namespace sim::cli
