#include "orchestrator/production/linux_machine.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/files/folder_for_test.h"
#include "orchestrator/production/file_log.h"
#include "orchestrator/production/system_clock.h"

namespace spotrun {
namespace {

namespace fs = std::filesystem;
using Kind = DeviceContent::Kind;

struct LinuxMachineTest : ::testing::Test {
  static Command shell(const std::string& script) { return {.argv = {"bash", "-c", script}}; }
  // Makes a disk image of this many zero bytes.
  std::string image(std::size_t bytes) {
    const std::string path = folder + "/image";
    std::ofstream(path).close();
    fs::resize_file(path, bytes);
    return path;
  }

  base::FolderForTest own;
  const std::string folder = own.string();
  StopSignals signals;
  LinuxMachine machine{signals, ""};
};

TEST_F(LinuxMachineTest, AFoldersStateIsAnotherWhenAFileIsMadeWrittenOrRemoved) {
  const std::string at = folder + "/checkpoints";
  EXPECT_EQ(machine.state_of(at), "") << "it is not there";
  fs::create_directories(at + "/rank-0");
  std::set<std::string> states{machine.state_of(at)};
  const auto changed = [&] { return states.insert(machine.state_of(at)).second; };
  EXPECT_FALSE(changed());
  std::ofstream(at + "/rank-0/step-1") << "a";
  EXPECT_TRUE(changed());
  EXPECT_FALSE(changed());
  std::ofstream(at + "/rank-0/step-1", std::ios::app) << "b";
  EXPECT_TRUE(changed());
  fs::remove(at + "/rank-0/step-1");
  EXPECT_TRUE(changed());
}

TEST_F(LinuxMachineTest, TheTrainersExitStatusIsSeen) {
  machine.start_trainer(shell("exit 75"));
  const auto status = machine.wait_trainer(Duration{60'000}, Time::max());
  ASSERT_TRUE(status);
  EXPECT_EQ(status->code, 75);
  EXPECT_EQ(status->signal, 0);
}

TEST_F(LinuxMachineTest, AWaitEndsAtItsTimeoutWhileTheTrainerRuns) {
  machine.start_trainer(shell("read -r < <(sleep 1000)"));
  EXPECT_FALSE(machine.wait_trainer(Duration{10}, Time::max()));
  machine.signal_trainer(SIGKILL);
  EXPECT_EQ(machine.wait_trainer(Duration{60'000}, Time::max())->signal, SIGKILL);
}

TEST_F(LinuxMachineTest, ASignalReachesTheWholeProcessGroup) {
  // The end of the pipe is visible only when the shell and its child have ended.
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  machine.start_trainer(shell("sleep 1000 & echo started >&" + std::to_string(ends[1]) + "; wait"));
  close(ends[1]);
  char bytes[16];
  ASSERT_GT(read(ends[0], bytes, sizeof bytes), 0);
  machine.signal_trainer(SIGTERM);
  EXPECT_TRUE(machine.wait_trainer(Duration{60'000}, Time::max()));
  EXPECT_EQ(read(ends[0], bytes, sizeof bytes), 0);
  close(ends[0]);
}

TEST_F(LinuxMachineTest, ARequestToStopEndsAWaitOnceAndTheNextWaitsAgain) {
  machine.start_trainer(shell("read -r < <(sleep 1000)"));
  raise(SIGTERM);
  EXPECT_THROW(machine.wait_trainer(Duration{60'000}, Time::max()), Stopped);
  EXPECT_FALSE(machine.wait_trainer(Duration{10}, Time::max()));
  SystemClock clock(signals);
  raise(SIGINT);
  EXPECT_THROW(clock.sleep(Duration{60'000}), Stopped);
  clock.sleep(Duration{1});
}

TEST_F(LinuxMachineTest, CommandsGetFolderAndEnvironmentAndNoBlockedSignals) {
  const ExitStatus status =
      machine.run({.argv = {"bash", "-c",
                            "test \"$PWD:$DATA_DIR\" = \"" + folder + ":/data\" && kill -TERM $$"},
                   .folder = folder,
                   .environment = {{"DATA_DIR", "/data"}}});
  EXPECT_EQ(status.signal, SIGTERM);
}

TEST_F(LinuxMachineTest, AProgramThatIsNotThereIsAnError) {
  EXPECT_THROW(machine.start_trainer({.argv = {"/no/such/program"}}), MachineError);
  EXPECT_THROW(machine.run({.argv = {"true"}, .folder = "/no/such/folder"}), MachineError);
}

TEST_F(LinuxMachineTest, OnlyZerosAreBlank) {
  const std::string path = image(8 << 20);
  EXPECT_EQ(machine.probe(path).kind, Kind::kBlank);
  std::ofstream(path, std::ios::in | std::ios::out).seekp(5000).put('x');
  EXPECT_EQ(machine.probe(path).kind, Kind::kUnknown);
}

TEST_F(LinuxMachineTest, AFilesystemIsKnownUnlessItsHeadIsDamaged) {
  const std::string path = image(64 << 20);
  machine.format(path, "ext4");
  const DeviceContent made = machine.probe(path);
  EXPECT_EQ(made.kind, Kind::kFilesystem);
  EXPECT_EQ(made.filesystem, "ext4");
  std::fstream device(path, std::ios::in | std::ios::out | std::ios::binary);
  device.seekp(1024);
  device.write(std::string(512, '\0').data(), 512);  // the superblock's magic number is here
  device.close();
  EXPECT_EQ(machine.probe(path).kind, Kind::kUnknown);
}

TEST_F(LinuxMachineTest, UnderARootAVolumeCanBeAFolder) {
  LinuxMachine rooted(signals, folder);
  EXPECT_EQ(rooted.find_device("/dev/sdf", "vol-1"), std::nullopt);
  fs::create_directories(folder + "/dev/xvdf");
  const auto node = rooted.find_device("/dev/sdf", "vol-1");
  ASSERT_EQ(node, folder + "/dev/xvdf");
  EXPECT_EQ(rooted.probe(*node).kind, Kind::kFilesystem);
  rooted.mount(*node, "none", "/volume");
  rooted.write_file("/volume/file", "text");
  rooted.unmount("/volume");
  rooted.unmount("/volume");  // nothing to do any more
  EXPECT_FALSE(rooted.exists("/volume/file"));
  EXPECT_TRUE(fs::exists(folder + "/dev/xvdf/file"));
}

// Like Ubuntu, which has no link from /dev/xvdf to an NVMe disk.
TEST_F(LinuxMachineTest, AnNvmeDiskIsFoundByItsVolume) {
  LinuxMachine rooted(signals, folder);
  const std::string by_id = folder + "/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol1";
  fs::create_directories(folder + "/dev/disk/by-id");
  fs::create_directory_symlink("../../nvme1n1", by_id);
  EXPECT_EQ(rooted.find_device("/dev/sdf", "vol-1"), std::nullopt) << "the disk is gone";
  fs::create_directories(folder + "/dev/nvme1n1");
  EXPECT_EQ(rooted.find_device("/dev/sdf", "vol-1"), by_id);
  EXPECT_EQ(rooted.find_device("/dev/sdf", "vol-2"), std::nullopt);
}

TEST_F(LinuxMachineTest, ProgressLinesAreOneJsonObjectALine) {
  SystemClock clock(signals);
  const std::string path = folder + "/events";
  {
    FileLog log(clock, path);
    log.phase("train");
    log.event("phase", {{"name", "broken \xff text"}});
  }
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, R"({"source":"orchestrator","event":"phase","name":"train"})");
  std::getline(file, line);
  EXPECT_TRUE(nlohmann::json::accept(line));
}

}  // namespace
}  // namespace spotrun
