// In lockstep, the order of one program's threads does not depend on this machine's disk.
#include <gtest/gtest.h>

#include <string>

#include "sim/guest/sandbox/guest_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest::test {
namespace {

std::string of_threads(const std::string& way) {
  return outcome_of({SPOTSIM_THREADS_PROGRAM, way}, {.lockstep = true}).text;
}

const std::string kTheMainThreadIsFirst = std::string(20, 'M') + "\nrc=0";

TEST(Threads, BeginWhenTheOneThatMadeThemRests) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  EXPECT_EQ(of_threads("begun"), kTheMainThreadIsFirst);
}

TEST(Threads, GoOnWhenTheOneThatWokeThemRests) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  EXPECT_EQ(of_threads("woken"), kTheMainThreadIsFirst);
}

TEST(Threads, SoDoChildren) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  EXPECT_EQ(of_threads("child"), kTheMainThreadIsFirst);
}

TEST(Threads, MayYieldUntilAnotherIsDone) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no permission for SCHED_FIFO";
  EXPECT_EQ(of_threads("yields"), "after 0.005\nrc=0");
}

}  // namespace
}  // namespace sim::guest::test
