#include "base/process/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "base/files/file_descriptor.h"
#include "base/process/system_call.h"

namespace base {
namespace {

TEST(RunProcess, ReturnsStatusOutputAndErrors) {
  const ProcessEnd end = run_process({.argv = {"sh", "-c", "echo out; echo err >&2; exit 3"}});
  EXPECT_EQ(end.status, 3);
  EXPECT_EQ(end.output, "out\n");
  EXPECT_EQ(end.errors, "err\n");
}

TEST(RunProcess, ReturnsMoreThanAPipeHolds) {
  const ProcessEnd end = run_process({.argv = {"head", "-c", "300000", "/dev/zero"}});
  EXPECT_EQ(end.status, 0);
  EXPECT_EQ(end.output, std::string(300'000, '\0'));
}

TEST(RunProcess, ASignalIs128AndItsNumber) {
  EXPECT_EQ(run_process({.argv = {"sh", "-c", "kill -9 $$"}}).status, 128 + 9);
}

TEST(RunProcess, InputIsEmpty) {
  const ProcessEnd end = run_process({.argv = {"cat"}});
  EXPECT_EQ(end.status, 0);
  EXPECT_EQ(end.output, "");
}

TEST(RunProcess, FolderAndEnvironmentAreTheLaunchs) {
  setenv("BASE_PROCESS_TEST", "old", 1);
  const ProcessEnd end = run_process({.argv = {"sh", "-c", "pwd; echo $BASE_PROCESS_TEST $HOME"},
                                      .folder = "/usr",
                                      .environment = {{"BASE_PROCESS_TEST", "new"}}});
  EXPECT_EQ(end.output, std::string("/usr\nnew ") + getenv("HOME") + "\n");
}

TEST(RunProcess, AFailedStartIsReported) {
  const auto why = [](const Launch& launch) {
    try {
      run_process(launch);
      return std::string("nothing");
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(why({.argv = {"no-such-program"}}),
            "cannot start no-such-program: No such file or directory");
  EXPECT_EQ(why({.argv = {"true"}, .folder = "/no/such"}),
            "cannot start true in /no/such: No such file or directory");
}

TEST(StartProcess, IsInAGroupOfItsOwnWithoutBlockedSignals) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = start_process({.argv = {"sleep", "1000"}});
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(getpgid(child), child);
  kill(-child, SIGTERM);
  EXPECT_EQ(exit_status(wait_for_end(child)), 128 + SIGTERM);
}

TEST(FileDescriptor, ClosesItselfOnceAndCanBeGivenAway) {
  int number = -1;
  {
    FileDescriptor first(checked(open("/dev/null", O_RDONLY | O_CLOEXEC), "opening /dev/null"));
    number = first.get();
    FileDescriptor second(std::move(first));
    EXPECT_FALSE(first);
    EXPECT_EQ(second.get(), number);
    EXPECT_NE(fcntl(number, F_GETFD), -1);
  }
  EXPECT_EQ(fcntl(number, F_GETFD), -1);
  FileDescriptor given(dup(0));
  const FileDescriptor taken(given.release());
  EXPECT_FALSE(given);
  EXPECT_TRUE(taken);
}

TEST(SystemCall, AFailedOneThrowsAnExceptionWithTheAction) {
  try {
    checked(open("/no/such", O_RDONLY), "opening /no/such");
    FAIL();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOENT);
    EXPECT_STREQ(error.what(), "opening /no/such: No such file or directory");
  }
}

}  // namespace
}  // namespace base
