// The checkpoints of spottrain survive a sudden end of the machine. The test shuts down a
// filesystem on a loop device without its log (XFS_IOC_GOINGDOWN, EXT4_IOC_SHUTDOWN). This loses
// all data that was not durable, as on a volume whose instance ends.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/files/file_descriptor.h"
#include "base/files/folder_for_test.h"
#include "trainer/survival_for_test.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

// Both filesystems have the same number and argument (linux/fs/xfs/libxfs/xfs_fs.h,
// fs/ext4/ext4.h).
constexpr unsigned long kShutDown = _IOR('X', 125, std::uint32_t);
constexpr std::uint32_t kWithoutLog = 2;
constexpr std::int64_t kLossEpochs = 40;

struct Where {
  const char* filesystem;
  const char* mode;
};
std::ostream& operator<<(std::ostream& out, const Where& where) {
  return out << where.filesystem << '_' << where.mode;
}

class PowerLoss : public testing::TestWithParam<Where> {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "needs root to mount a filesystem";
    // A private mount namespace: mounts and loop devices end with this process.
    if (unshare(CLONE_NEWNS) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      GTEST_SKIP() << "no mount namespace of its own: " << std::strerror(errno);
    }
    fs::create_directory(mount_point());
    std::ofstream(image()).close();
    fs::resize_file(image(), std::uintmax_t{512} << 20);  // sparse
    const std::string make =
        std::string("mkfs.") + GetParam().filesystem + " -q " + image().string();
    if (std::system(make.c_str()) != 0) GTEST_SKIP() << make << " failed";
    if (!mount_image()) GTEST_SKIP() << "no loop device to mount";
    write_inputs(folder_);
  }
  void TearDown() override { umount2(mount_point().c_str(), MNT_DETACH); }

  fs::path image() const { return folder_ / "image"; }
  fs::path mount_point() const { return folder_ / "volume"; }
  bool mount_image() const {
    const std::string command =
        "mount -o loop " + image().string() + " " + mount_point().string() + " 2> /dev/null";
    return std::system(command.c_str()) == 0;
  }
  void lose_power() const {
    const base::FileDescriptor root(
        open(mount_point().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    std::uint32_t how = kWithoutLog;
    ASSERT_EQ(ioctl(root.get(), kShutDown, &how), 0) << std::strerror(errno);
  }
  fs::path checkpoints() const { return mount_point() / "ckpt"; }
  Arguments train(const Arguments& more = {}) const {
    Arguments words = training(folder_, checkpoints(), kLossEpochs);
    words.insert(words.end(), {"--policy", "steps:1", "--checkpoint-mode", GetParam().mode});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  base::FolderForTest folder_;
};

TEST_P(PowerLoss, DataReportedAsDurableIsThereAfterwards) {
  std::int64_t durable = 0;
  for (int loss = 1; loss <= 6; ++loss) {
    Program program(train());
    ASSERT_TRUE(program.read_until("start")) << program.errors();
    EXPECT_GE(program.lines().back().at("step"), durable);
    EXPECT_TRUE(lines_of(program.lines(), "checkpoint-rejected").empty());
    // The shutdown follows the report at once, so the kernel has had no time to write data back.
    for (int saved = 0; saved < loss; ++saved) {
      ASSERT_TRUE(program.read_until("checkpoint-durable"));
    }
    ASSERT_NO_FATAL_FAILURE(lose_power());
    program.signal(SIGKILL);
    program.wait();
    durable = lines_of(program.lines(), "checkpoint-durable").back().at("step");
    ASSERT_EQ(umount(mount_point().c_str()), 0) << std::strerror(errno);
    ASSERT_TRUE(mount_image());
  }
  EXPECT_GE(durable, 21);
  // The training ends with the same result as an uninterrupted one.
  const fs::path straight = folder_ / "straight";
  ASSERT_EQ(run(train({"--policy", "none"})).status, 0);
  ASSERT_EQ(run(train({"--policy", "none", "--checkpoints", straight.string()})).status, 0);
  const std::string last = checkpoint_name(kLossEpochs * kStepsPerEpoch);
  EXPECT_TRUE(base::file_content(checkpoints() / last) == base::file_content(straight / last));
}

TEST_P(PowerLoss, ALostDiskFailsCheckpointsAndAReadOnlyDiskFailsTheStart) {
  Program program(train());
  ASSERT_TRUE(program.read_until("checkpoint-durable"));
  ASSERT_NO_FATAL_FAILURE(lose_power());
  EXPECT_TRUE(program.read_until("checkpoint-failed"));
  EXPECT_TRUE(program.read_until("step"));
  program.signal(SIGKILL);
  program.wait();
  EXPECT_NE(program.errors().find("CHECKPOINT FAILED"), std::string::npos);
  ASSERT_EQ(umount(mount_point().c_str()), 0) << std::strerror(errno);
  ASSERT_TRUE(mount_image());
  ASSERT_EQ(mount(nullptr, mount_point().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  const Outcome refused = run(train());
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.errors.find(std::strerror(EROFS)), std::string::npos) << refused.errors;
}

INSTANTIATE_TEST_SUITE_P(Filesystems, PowerLoss,
                         testing::Values(Where{"xfs", "sync"}, Where{"xfs", "async"},
                                         Where{"ext4", "sync"}, Where{"ext4", "async"}),
                         [](const auto& where) {
                           return std::string(where.param.filesystem) + "_" + where.param.mode;
                         });

}  // namespace
}  // namespace spottrain
