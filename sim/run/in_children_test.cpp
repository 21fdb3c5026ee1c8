#include "sim/run/in_children.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <vector>

#include "sim/run/run.h"

namespace sim::run {
namespace {

using namespace std::chrono_literals;

ChildWork work_on(std::size_t pieces, std::size_t at_once, std::vector<std::string>& answers) {
  return {.pieces = pieces,
          .at_once = at_once,
          .work = [](std::size_t piece, std::size_t) { return std::to_string(piece * piece); },
          .done = [&answers](std::size_t, const std::string& answer) { answers.push_back(answer); },
          .may_begin = [] { return true; },
          .stopped = [] { return false; }};
}

TEST(InChildren, AnswersComeInTheOrderOfThePieces) {
  for (const std::size_t at_once : {1, 3}) {
    std::vector<std::string> answers;
    EXPECT_EQ(in_children(work_on(5, at_once, answers)), 5U);
    EXPECT_EQ(answers, (std::vector<std::string>{"0", "1", "4", "9", "16"}));
  }
}

TEST(InChildren, AnOverduePieceIsCutOffAndTheOthersCount) {
  std::vector<std::string> answers;
  std::vector<std::size_t> cut;
  ChildWork work = work_on(3, 2, answers);
  work.work = [](std::size_t piece, std::size_t) {
    if (piece != 1) return std::to_string(piece);
    signal(SIGTERM, SIG_IGN);
    while (true) pause();
  };
  const auto begin = std::chrono::steady_clock::now();
  work.overdue = [begin] { return std::chrono::steady_clock::now() > begin + 1s; };
  work.cut_off = [&cut](std::size_t piece) { cut.push_back(piece); };
  EXPECT_EQ(in_children(work), 1U);
  EXPECT_EQ(answers, (std::vector<std::string>{"0", "2"}));
  EXPECT_EQ(cut, (std::vector<std::size_t>{1}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST(InChildren, AnExceptionOfAChildIsThrownHere) {
  std::vector<std::string> answers;
  ChildWork work = work_on(2, 1, answers);
  work.work = [](std::size_t, std::size_t) -> std::string { throw RunError("two\nlines"); };
  try {
    in_children(work);
    FAIL() << "nothing was thrown";
  } catch (const RunError& error) {
    EXPECT_STREQ(error.what(), "two\nlines");
  }
}

}  // namespace
}  // namespace sim::run
