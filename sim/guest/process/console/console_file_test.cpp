#include "sim/guest/process/console/console_file.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "base/files/folder_for_test.h"
#include "base/files/whole_file.h"
#include "sim/guest/process/host_for_test.h"
#include "sim/guest/process/progress/log_watch.h"

namespace sim::guest {
namespace {

constexpr off_t kMiB = 1 << 20;

// Runs in a child with a mount namespace of its own.
void expect_bounded_console() {
  ASSERT_EQ(unshare(CLONE_NEWNS), 0);
  ASSERT_EQ(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0);
  const base::FolderForTest folder;
  const auto kept = folder / "kept";
  ConsoleFile console(folder / "console", kept, true);
  LogTail log("/", console.path());
  const std::string part(kMiB, '.'), line = "\nstep 7/10\n";
  std::string last;
  int full = 0;
  for (int i = 0; i < 200; ++i) {  // more than the file system holds
    ASSERT_EQ(write(console.descriptor(), part.data(), part.size()), kMiB) << i;
    ASSERT_EQ(write(console.descriptor(), line.data(), line.size()), std::ssize(line)) << i;
    for (std::string read = log.read(); !read.empty(); read = log.read()) last = read;
    full += console.copy(log.seen()) ? 1 : 0;
  }
  EXPECT_EQ(full, 1);
  EXPECT_TRUE(last.ends_with(line)) << "a reader of the file has all of it";
  const std::string output = base::read_file(kept).value_or("");
  EXPECT_LT(std::ssize(output), ConsoleFile::kMostKept + 200);
  EXPECT_TRUE(output.ends_with("a console has 64 MiB at most]\n"));
  struct stat as {};
  fstat(console.descriptor(), &as);
  EXPECT_LT(as.st_blocks * 512, ConsoleFile::kMostKept + 2 * kMiB);
}

TEST(ConsoleFile, KeepsItsBeginningAndLetsProgramsWriteOn) {
  if (const auto why = obstacle(Level::kRoot); !why.empty()) GTEST_SKIP() << why;
  EXPECT_TRUE(test::passes_in_child(expect_bounded_console));
}

void expect_console_of(Level level) {
  test::HostWorld w(level);
  const auto id = w.launch("yes | head -c 70000000; echo at-the-end >/dev/console\n");
  ASSERT_TRUE(w.wait("guest.exit"));
  EXPECT_EQ(w.events.back().fields["status"], 0);
  EXPECT_EQ(w.count("guest.output-full"), 1U) << w.lines;
  EXPECT_LT(std::filesystem::file_size(w.output / "console" / (id.value + ".log")),
            ConsoleFile::kMostKept + 200);
}

TEST(RootConsole, OfAGuestThatWritesWithoutEndIsBounded) {
  if (const auto why = obstacle(Level::kRoot); !why.empty()) GTEST_SKIP() << why;
  expect_console_of(Level::kRoot);
}
TEST(UserNamespaceConsole, OfAGuestThatWritesWithoutEndIsBounded) {
  EXPECT_TRUE(test::passes_as_user([] {
    if (obstacle(Level::kUserNamespaces).empty()) expect_console_of(Level::kUserNamespaces);
  }));
}

}  // namespace
}  // namespace sim::guest
