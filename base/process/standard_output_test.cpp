#include "base/process/standard_output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace base {
namespace {

// In a child, with this as its standard output; null: closed.
void expect_exit(int code, const char* output, const std::function<int()>& body) {
  EXPECT_EXIT(
      {
        if (output) {
          std::freopen(output, "w", stdout);
        } else {
          close(STDOUT_FILENO);
        }
        std::exit(with_standard_output("program", body));
      },
      ::testing::ExitedWithCode(code), code == 2 ? "program: cannot write" : "");
}

int print() { return std::puts("result") < 0 ? 1 : 0; }

TEST(StandardOutput, ThatIsWrittenLeavesTheExitCode) {
  expect_exit(0, "/dev/null", print);
  expect_exit(1, "/dev/null", [] { return 1; });
}

TEST(StandardOutput, ThatIsLostIsAnError) {
  expect_exit(2, "/dev/full", print);
  expect_exit(2, nullptr, print);
}

TEST(StandardOutput, IsNotNeededWithoutOutput) {
  expect_exit(0, nullptr, [] { return 0; });
}

TEST(StandardOutput, ThatIsClosedIsNoOtherFile) {
  expect_exit(0, nullptr, [] {
    const FILE* file = std::fopen("/dev/null", "w");
    return fileno(const_cast<FILE*>(file)) > STDERR_FILENO ? 0 : 1;
  });
}

}  // namespace
}  // namespace base
