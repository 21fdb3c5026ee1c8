// Guests as real processes, at each level that this machine permits.
#include "sim/guest/process/process_host.h"

#include <fcntl.h>
#include <signal.h>

#include <fstream>

#include "sim/guest/disks/disk_image.h"
#include "sim/guest/process/host_for_test.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

using cloud::InstanceState;
using cloud::VolumeState;
using test::HostWorld;

constexpr const char* kFormat =
    "while [ ! -b /dev/xvdf ]; do sleep 1; done\n"
    "mkdir -p /data\n"
    "blkid /dev/xvdf >/dev/null || mkfs.ext4 -q /dev/xvdf\n"
    "mount /dev/xvdf /data\n";

class RootGuest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = obstacle(Level::kRoot);
    if (!why.empty()) GTEST_SKIP() << "no root sandbox here: " << why;
  }
};

// Boots an instance with the volume and waits until its user data has ended.
cloud::InstanceId run_with_volume(HostWorld& w, const cloud::VolumeId& volume,
                                  const std::string& script) {
  const auto id = w.launch(kFormat + script);
  EXPECT_TRUE(w.wait(id, InstanceState::kRunning));
  EXPECT_TRUE(w.wait(volume, VolumeState::kAvailable));
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  EXPECT_TRUE(w.wait("guest.exit", w.count("guest.exit") + 1)) << w.lines;
  return id;
}

void expect_metadata_and_console(Level level, const std::string& metadata) {
  HostWorld w(level);
  const auto id = w.launch("curl -sf " + metadata +
                           "/latest/meta-data/instance-id; echo; echo at-the-end\n"
                           "echo '{\"source\":\"trainer\",\"event\":\"step\",\"step\":3}' "
                           ">> $JOB_EVENTS; echo junk >> $JOB_EVENTS; exit 7\n");
  ASSERT_TRUE(w.wait("guest.exit"));
  EXPECT_EQ(w.console(id.value), id.value + "\nat-the-end\n");
  EXPECT_EQ(w.events.back().fields["status"], 7);
  EXPECT_EQ(w.count("trainer.step"), 1U);
  EXPECT_EQ(w.count("guest.bad-event"), 1U);
  EXPECT_NE(w.lines.find("\"instance_id\":\"" + id.value + "\",\"step\":3"), std::string::npos);
}

TEST_F(RootGuest, ReadsItsMetadataReportsProgressAndWritesItsConsole) {
  expect_metadata_and_console(Level::kRoot, "http://169.254.169.254");
}

TEST(UserNamespaceGuest, ReadsItsMetadataReportsProgressAndWritesItsConsole) {
  std::string why;
  EXPECT_TRUE(test::passes_as_user([] {
    if (obstacle(Level::kUserNamespaces).empty())
      expect_metadata_and_console(Level::kUserNamespaces, "http://169.254.169.254");
  }));
  if (!(why = obstacle(Level::kUserNamespaces)).empty()) GTEST_SKIP() << why;
}

// Its volume's GiB is a sparse file: only what mkfs wrote takes time.
TEST(UserNamespaceGuest, MakesAFileSystemInASecond) {
  const std::string why = obstacle(Level::kUserNamespaces);
  if (geteuid() != 0 && !why.empty()) GTEST_SKIP() << why;
  EXPECT_TRUE(test::passes_as_user([] {
    if (!obstacle(Level::kUserNamespaces).empty()) return;
    HostWorld w(Level::kUserNamespaces);
    const auto volume = w.new_volume();
    const auto id = w.launch(
        "while [ ! -e /dev/xvdf ]; do sleep 1; done; SECONDS=0; mkfs.ext4 -q /dev/xvdf\n"
        "mkdir /data; mount /dev/xvdf /data; echo kept > /data/file; sync -d /data/file\n"
        "umount /data; ls /data; mount /dev/xvdf /data; cat /data/file; [ $SECONDS -le 1 ]\n");
    ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_EQ(w.console(id.value), "kept\n");
    EXPECT_EQ(w.events.back().fields["status"], 0);
  }));
}

TEST(PlainGuest, ReadsItsMetadataReportsProgressAndWritesItsConsole) {
  EXPECT_TRUE(test::passes_as_user(
      [] { expect_metadata_and_console(Level::kPlain, "$AWS_EC2_METADATA_SERVICE_ENDPOINT"); }));
}

// aws-cli 2.9, which Debian 12 has, puts its paths right behind the endpoint; botocore since then,
// and most scripts, put a slash between. Both find the service.
TEST(PlainGuest, FindsItsMetadataWithAndWithoutASlashBehindTheEndpoint) {
  EXPECT_TRUE(test::passes_as_user([] {
    HostWorld w(Level::kPlain);
    const auto id = w.launch(
        "token() { curl -sf -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' \"$1\"; }\n"
        "for path in latest/api/token /latest/api/token; do\n"
        "  token=$(token ${AWS_EC2_METADATA_SERVICE_ENDPOINT}$path) || exit 1\n"
        "  curl -sf -H \"X-aws-ec2-metadata-token: $token\" "
        "${AWS_EC2_METADATA_SERVICE_ENDPOINT}${path%api/token}meta-data/instance-id; echo\n"
        "done\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_EQ(w.console(id.value), id.value + "\n" + id.value + "\n");
  }));
}

TEST(PlainGuest, EndsItsInstanceByPoweringOff) {
  EXPECT_TRUE(test::passes_as_user([] {
    HostWorld w(Level::kPlain);
    const auto id = w.launch("shutdown -h now\n");
    EXPECT_TRUE(w.wait(id, InstanceState::kTerminated));
  }));
}

TEST_F(RootGuest, WritesNothingOnTheHost) {
  HostWorld w(Level::kRoot);
  const auto id =
      w.launch("touch /usr/spotsim-was-here /etc/spotsim-was-here && hostname && id -u ubuntu\n");
  ASSERT_TRUE(w.wait("guest.exit"));
  EXPECT_TRUE(w.console(id.value).starts_with("ip-")) << w.console(id.value);
  EXPECT_NE(w.console(id.value).find("\n1000\n"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists("/usr/spotsim-was-here"));
  EXPECT_FALSE(std::filesystem::exists("/etc/spotsim-was-here"));
}

TEST_F(RootGuest, FindsItsDataOnTheVolumeAfterAGracefulEnd) {
  HostWorld w(Level::kRoot);
  const auto volume = w.new_volume();
  const auto first = run_with_volume(w, volume, "echo kept > /data/file\n");
  w.cloud.terminate_instances({first});
  ASSERT_TRUE(w.wait(first, InstanceState::kTerminated));
  const auto second = run_with_volume(w, volume, "cat /data/file\n");
  EXPECT_EQ(w.console(second.value), "kept\n");
}

TEST_F(RootGuest, LosesWhatItDidNotSyncWhenItIsCutOff) {
  HostWorld w(Level::kRoot);
  const auto volume = w.new_volume();
  const auto first =
      run_with_volume(w, volume, "echo synced > /data/synced; sync; echo lost > /data/unsynced\n");
  w.cloud.interrupt(first, cloud::Cloud::Notice::kNone, "no-capacity");
  ASSERT_TRUE(w.wait(first, InstanceState::kTerminated));
  const auto second = run_with_volume(w, volume, "cd /data; cat synced; cat unsynced 2>&1\n");
  EXPECT_EQ(w.console(second.value), "synced\ncat: unsynced: No such file or directory\n");
}

TEST_F(RootGuest, ASnapshotHasWhatWasSynced) {
  HostWorld w(Level::kRoot);
  const auto volume = w.new_volume();
  run_with_volume(w, volume, "echo synced > /data/synced; sync; echo lost > /data/unsynced\n");
  const auto snapshot = w.cloud.create_snapshot(volume, "", {});
  EXPECT_GT(w.cloud.snapshot(snapshot).stored_bytes, 0);
  EXPECT_LT(w.cloud.snapshot(snapshot).stored_bytes, std::int64_t{100} << 20);
  ASSERT_TRUE(w.host.run(
      [&] { return w.cloud.snapshot(snapshot).state == cloud::SnapshotState::kCompleted; }));
  const auto copy = w.new_volume(snapshot);
  const auto second = run_with_volume(w, copy, "cd /data; cat synced; cat unsynced 2>&1\n");
  EXPECT_EQ(w.console(second.value), "synced\ncat: unsynced: No such file or directory\n");
}

TEST_F(RootGuest, IsDetachedOnlyWhenTheVolumeIsUnmounted) {
  HostWorld w(Level::kRoot);
  const auto volume = w.new_volume();
  const auto id =
      run_with_volume(w, volume, "(sleep 100; umount /data) >/dev/null 2>&1 </dev/null &\n");
  const Time asked = w.simulation.now();
  w.cloud.detach_volume(volume, id, false);
  ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
  EXPECT_GE(w.simulation.now() - asked, 99s);
  EXPECT_LE(w.simulation.now() - asked, 110s);
}

TEST_F(RootGuest, EndsItsInstanceByPoweringOff) {
  HostWorld w(Level::kRoot);
  const auto id = w.launch("shutdown -h now\n");
  EXPECT_TRUE(w.wait(id, InstanceState::kTerminated));
}

TEST_F(RootGuest, HasTheGraceOfItsOperatingSystemToEnd) {
  HostWorld w(Level::kRoot);
  const auto id = w.launch("trap 'echo terminated; exit' TERM; while :; do sleep 1; done\n");
  ASSERT_TRUE(w.wait("instance.boot"));
  w.simulation.after(60s, [&] { w.cloud.terminate_instances({id}); });
  ASSERT_TRUE(w.wait(id, InstanceState::kTerminated));
  EXPECT_NE(w.console(id.value).find("terminated\n"), std::string::npos);
}

// Reports checkpoints by paths of three kinds: an existing file, a file that does not exist yet,
// and a link.
constexpr const char* kReports =
    "ln -s /data /root/link; touch /data/model\n"
    "for path in /data/model /data/not/yet /root/link/model /root/model model; do\n"
    "  echo '{\"source\": \"trainer\", \"event\": \"checkpoint-written\", \"step\": 1, "
    "\"disk\": \"mine\","
    " \"path\": \"'$path'\"}' >>$JOB_EVENTS\n"
    "done\n";

std::vector<std::string> disks_told(const HostWorld& w) {
  std::vector<std::string> disks;
  for (const Event& event : w.events)
    if (event.kind == "trainer.checkpoint-written")
      disks.push_back(event.fields.value("disk", "-"));
  return disks;
}

TEST_F(RootGuest, ReportsTheDiskOfACheckpoint) {
  HostWorld w(Level::kRoot);
  const auto volume = w.new_volume();
  run_with_volume(w, volume, kReports);
  const std::string& id = volume.value;
  EXPECT_EQ(disks_told(w), (std::vector<std::string>{id, id, id, "root", "-"}));
}

TEST(UserNamespaceGuest, ReportsTheDiskOfACheckpoint) {
  if (const auto why = obstacle(Level::kUserNamespaces); !why.empty()) GTEST_SKIP() << why;
  EXPECT_TRUE(test::passes_as_user([] {
    HostWorld w(Level::kUserNamespaces);
    const auto volume = w.new_volume();
    const auto id = w.launch(
        std::string(
            "while [ ! -e /dev/xvdf ]; do sleep 1; done; mkdir /data; mount /dev/xvdf /data\n") +
        kReports);
    ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    ASSERT_TRUE(w.wait("guest.exit"));
    const std::string& disk = volume.value;
    EXPECT_EQ(disks_told(w), (std::vector<std::string>{disk, disk, disk, "root", "-"}));
  }));
}

TEST(UserNamespaceGuest, FindsItsVolumeByLsblk) {
  if (access("/usr/bin/lsblk", X_OK) != 0) GTEST_SKIP() << "no lsblk here";
  if (const auto why = obstacle(Level::kUserNamespaces); !why.empty()) GTEST_SKIP() << why;
  EXPECT_TRUE(test::passes_as_user([] {
    HostWorld w(Level::kUserNamespaces);
    const auto volume = w.new_volume();
    const auto id = w.launch(
        "until lsblk | grep -q xvdf; do sleep 1; done; lsblk -nbro NAME,MAJ:MIN,SIZE,TYPE\n");
    ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    ASSERT_TRUE(w.wait("guest.exit"));
    const std::int64_t bytes = w.cloud.volume(volume).size_gib * (std::int64_t{1} << 30);
    EXPECT_EQ(w.console(id.value),
              "xvda 3:0 8589934592 disk\nxvda1 3:1 8588886016 part\nxvdf 202:80 " +
                  std::to_string(bytes) + " disk\n");
  }));
}

TEST(UserNamespaceGuest, SeesItsVolumeGrow) {
  if (access("/usr/bin/lsblk", X_OK) != 0) GTEST_SKIP() << "no lsblk here";
  if (const auto why = obstacle(Level::kUserNamespaces); !why.empty()) GTEST_SKIP() << why;
  EXPECT_TRUE(test::passes_as_user([] {
    HostWorld w(Level::kUserNamespaces);
    const auto volume = w.new_volume();
    const auto id = w.launch(
        "until lsblk -nbro NAME,SIZE | grep -q 'xvdf 64424509440'; do sleep 1; done\n"
        "lsblk -nbro NAME,SIZE | grep xvdf\n");
    ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
    ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
    w.cloud.attach_volume(volume, id, "/dev/sdf");
    w.simulation.after(60s, [&] { w.cloud.modify_volume(volume, {.size_gib = 60}); });
    ASSERT_TRUE(w.wait("guest.exit"));
    EXPECT_EQ(w.console(id.value), "xvdf 64424509440\n");
  }));
}

// Extending a mounted file system needs CAP_SYS_RESOURCE, which guests do not have.
TEST_F(RootGuest, ExtendsItsUnmountedFileSystemWhenItsVolumeHasGrown) {
  if (access("/usr/sbin/resize2fs", X_OK) != 0) GTEST_SKIP() << "no resize2fs here";
  HostWorld w(Level::kRoot, lockstep_permitted());
  const auto volume = w.new_volume();
  const auto id = w.launch(
      "while [ ! -e /dev/xvdf ]; do sleep 1; done\n"
      "mkfs.ext4 -q /dev/xvdf && mkdir /data && mount /dev/xvdf /data && echo kept > /data/file\n"
      "until [ $(blockdev --getsize64 /dev/xvdf) -gt 60000000000 ]; do sleep 1; done\n"
      "umount /data && e2fsck -fp /dev/xvdf > /dev/null && resize2fs /dev/xvdf > /dev/null 2>&1\n"
      "mount /dev/xvdf /data\n"
      "[ $(df --output=size -BG /data | tail -1 | tr -dc 0-9) -gt 50 ] && cat /data/file\n");
  ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
  ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  w.simulation.after(120s, [&] { w.cloud.modify_volume(volume, {.size_gib = 60}); });
  ASSERT_TRUE(w.wait("guest.exit"));
  EXPECT_EQ(w.console(id.value), "kept\n");
}

// The shells and the programs that they wait for get SIGTERM. A program that passes on their output
// does not.
TEST_F(RootGuest, KeepsItsLastWordsThroughAPipe) {
  HostWorld w(Level::kRoot, lockstep_permitted());
  const auto id = w.launch(
      "exec > >(tee /var/log/user-data.log | sed -u 's/^/user-data: /') 2>&1\n"
      "trap 'echo terminated; sleep 2; echo last words; exit' TERM\n"
      "echo working; while :; do sleep 1; done\n");
  ASSERT_TRUE(w.wait("instance.boot"));
  w.simulation.after(60s,
                     [&] { w.cloud.interrupt(id, cloud::Cloud::Notice::kGiven, "no-capacity"); });
  ASSERT_TRUE(w.wait(id, InstanceState::kTerminated));
  EXPECT_EQ(w.console(id.value),
            "user-data: working\nuser-data: Terminated\nuser-data: terminated\n"
            "user-data: last words\n")
      << "the first of the three is bash's, of its sleep";
}

// The output from before the power cut is kept, although the program had no time to end.
TEST_F(RootGuest, KeepsWhatItPrintedThroughAPipeBeforeThePowerWent) {
  HostWorld w(Level::kRoot, lockstep_permitted());
  const auto id = w.launch(
      "exec > >(tee /var/log/user-data.log) 2>&1\n"
      "for i in {1..9}; do echo $i; sleep 10; done\n");
  ASSERT_TRUE(w.wait("instance.boot"));
  w.simulation.after(45s,
                     [&] { w.cloud.interrupt(id, cloud::Cloud::Notice::kNone, "no-capacity"); });
  ASSERT_TRUE(w.wait(id, InstanceState::kTerminated));
  EXPECT_EQ(w.console(id.value), "1\n2\n3\n4\n5\n");
}

TEST_F(RootGuest, ClonesTheSameCommitFromARedirectedUrlEachTime) {
  const auto folder = HostWorld::make_folder();
  std::ofstream(folder / "train.py") << "print('hello')\n";
  std::string hashes[2];
  for (auto& hash : hashes) {
    HostWorld w(Level::kRoot, false, {{"https://example.com/team/code", folder}});
    const auto id = w.launch(
        "git clone -q https://example.com/team/code.git /tmp/code && cat /tmp/code/train.py && "
        "git -C /tmp/code checkout -q master && git -C /tmp/code rev-parse HEAD\n");
    ASSERT_TRUE(w.wait("guest.exit"));
    hash = w.console(id.value);
  }
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(hashes[0].starts_with("print('hello')\n")) << hashes[0];
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_F(RootGuest, ClonesTheBranchesOfARepository) {
  const auto folder = HostWorld::make_folder();
  const std::string make =
      "cd " + folder.string() +
      " && export GIT_CONFIG_GLOBAL=/dev/null && git init -q -b trunk &&"
      " git config user.name a && git config user.email a@b &&"
      " echo one >file && git add . && git commit -qm one && git tag v1 &&"
      " git checkout -qb fast && echo two >file && git commit -qam two && git checkout -q trunk &&"
      " echo not committed >file && chown -R 12345 .";
  ASSERT_EQ(std::system(make.c_str()), 0);
  HostWorld w(Level::kRoot, false, {{"https://example.com/team/code.git", folder}});
  const auto id = w.launch(
      "git clone -q https://example.com/team/code /tmp/a; cd /tmp/a; git branch --show-current\n"
      "cat file; git checkout -q fast; cat file; git checkout -q v1; cat file\n"
      "git clone -q -b fast --depth 1 https://example.com/team/code.git /tmp/b; cat /tmp/b/file\n"
      "git clone -q -b none https://example.com/team/code /tmp/c 2>/dev/null || echo none\n");
  ASSERT_TRUE(w.wait("guest.exit"));
  std::filesystem::remove_all(folder);
  EXPECT_EQ(w.console(id.value), "trunk\none\ntwo\none\ntwo\nnone\n");
}

TEST_F(RootGuest, TheOperatorReachesTheEndpointAndReadsTheScenario) {
  HostWorld w(Level::kRoot);
  const auto folder = HostWorld::make_folder();
  std::ofstream(folder / "fleet.json") << "{}";
  int status = -1;
  w.host.run_operator("ls; curl -s -o /dev/null -w '%{http_code}\\n' $AWS_ENDPOINT_URL; exit 4",
                      folder, [&](int s) { status = s; });
  ASSERT_TRUE(w.host.run([&] { return status >= 0; }));
  std::filesystem::remove_all(folder);
  EXPECT_EQ(status, 4);
  EXPECT_TRUE(w.console("operator").starts_with("fleet.json\n4")) << w.console("operator");
}

TEST_F(RootGuest, LogsTheSameTwiceInLockstepWithAVolume) {
  if (!lockstep_permitted()) GTEST_SKIP() << "no SCHED_FIFO here";
  std::string lines[2];
  for (auto& log : lines) {
    HostWorld w(Level::kRoot, true);
    const auto volume = w.new_volume();
    const auto id = run_with_volume(
        w, volume,
        "dd if=/dev/zero of=/data/file bs=1M count=16 conv=fsync status=none\n"
        "umount /data; mount /dev/xvdf /data; cat /data/file | wc -c; date +%T.%N\n"
        "for i in 1 2 3; do curl -s http://169.254.169.254/latest/meta-data/placement/region; "
        "done\n");
    w.cloud.terminate_instances({id});
    ASSERT_TRUE(w.wait(id, InstanceState::kTerminated));
    log = w.lines + w.console(id.value);
  }
  EXPECT_EQ(lines[0], lines[1]);
}

TEST_F(RootGuest, HasTheUserUbuntuWhoMayBecomeRoot) {
  if (!std::filesystem::exists("/usr/bin/sudo")) GTEST_SKIP() << "sudo is not installed";
  HostWorld w(Level::kRoot);
  const auto id = w.launch("sudo -u ubuntu id -un; sudo -u ubuntu sudo -n id -un\n");
  ASSERT_TRUE(w.wait("guest.exit"));
  EXPECT_EQ(w.console(id.value), "ubuntu\nroot\n");
}

TEST_F(RootGuest, LosesTheVolumeAtOnceWhenItsDetachmentIsForced) {
  HostWorld w(Level::kRoot);
  const auto volume = w.new_volume();
  const auto id = run_with_volume(w, volume, "echo lost > /data/file\n");
  w.cloud.detach_volume(volume, id, true);
  ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
  const auto second = run_with_volume(w, volume, "ls /data\n");
  EXPECT_EQ(w.console(second.value), "lost+found\n");
}

TEST_F(RootGuest, ReportsMountErrorsAsARealMachineDoes) {
  HostWorld w(Level::kRoot);
  const auto volume = w.new_volume();
  const auto id = w.launch(
      "exec 2>&1; export LC_ALL=C; mount /dev/xvdf /mnt | head -n 1; mount -t ext4 /dev/null /mnt\n"
      "while [ ! -e /dev/xvdf ]; do sleep 1; done; mount /dev/xvdf /mnt | head -n 1\n"
      "mkdir /a; mount --bind /mnt /a && echo bound; mount -t tmpfs none /a && echo tmpfs\n");
  ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
  ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
  w.simulation.after(100s, [&] { w.cloud.attach_volume(volume, id, "/dev/sdf"); });
  ASSERT_TRUE(w.wait("guest.exit"));
  const std::string text = w.console(id.value);
  EXPECT_NE(text.find("special device /dev/xvdf does not exist"), text.npos) << text;
  EXPECT_NE(text.find("/dev/null is not a block device"), text.npos) << text;
  EXPECT_NE(text.find("wrong fs type, bad option, bad superblock on /dev/xvdf"), text.npos) << text;
  EXPECT_NE(text.find("bound\ntmpfs\n"), text.npos) << text;
}

TEST(UserNamespaceGuest, MountsAVolumesFilesAndFindsThemAgain) {
  if (const auto why = obstacle(Level::kUserNamespaces); !why.empty()) GTEST_SKIP() << why;
  EXPECT_TRUE(test::passes_as_user([] {
    HostWorld w(Level::kUserNamespaces);
    const auto volume = w.new_volume();
    const std::string mount =
        "while [ ! -e /dev/xvdf ]; do sleep 1; done; mkdir /data; mount /dev/xvdf /data\n";
    std::string output;
    for (const std::string script :
         {"echo kept > /data/file; umount /data; ls /data\n", "cat /data/file\n"}) {
      const auto id = w.launch(mount + script);
      ASSERT_TRUE(w.wait(id, InstanceState::kRunning));
      ASSERT_TRUE(w.wait(volume, VolumeState::kAvailable));
      w.cloud.attach_volume(volume, id, "/dev/sdf");
      ASSERT_TRUE(w.wait("guest.exit", w.count("guest.exit") + 1)) << w.lines;
      output += w.console(id.value);
      w.cloud.terminate_instances({id});
      ASSERT_TRUE(w.wait(id, InstanceState::kTerminated));
    }
    EXPECT_EQ(output, "kept\n");
  }));
}

}  // namespace
}  // namespace sim::guest
