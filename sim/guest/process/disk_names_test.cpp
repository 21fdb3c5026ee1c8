// The names of the root disk and of volumes that user data uses, at level root, where they are
// devices.
#include <gtest/gtest.h>

#include "sim/guest/process/host_for_test.h"

namespace sim::guest {
namespace {

using test::HostWorld;

// The console output of a script on an instance of the type. A blank volume of 1 GiB is attached to
// it as /dev/sdf.
std::string printed(HostWorld& w, const std::string& type, const std::string& script) {
  const auto volume = w.new_volume();
  EXPECT_TRUE(w.wait(volume, cloud::VolumeState::kAvailable));
  const auto id = w.cloud.run_instances({.image_id = "ami-1",
                                         .instance_type = type,
                                         .availability_zone = "us-west-2a",
                                         .user_data = "#!/bin/bash\nexec 2>&1\n" + script},
                                        1)[0];
  EXPECT_TRUE(w.wait(id, cloud::InstanceState::kRunning));
  w.cloud.attach_volume(volume, id, "/dev/sdf");
  EXPECT_TRUE(w.wait("guest.exit"));
  return w.console(id.value);
}

// `user` is a user of the instance's image.
void expect_printed(const std::string& type, const std::string& script, const std::string& written,
                    const char* user = "ubuntu") {
  if (access("/usr/bin/lsblk", X_OK) != 0) GTEST_SKIP() << "no lsblk here";
  const std::string why = obstacle(Level::kRoot);
  if (geteuid() != 0 || !why.empty()) GTEST_SKIP() << "no root sandbox here: " << why;
  HostWorld w(Level::kRoot, false, {}, {}, {{"ami-1", Image{.users = {{user}}}}});
  EXPECT_EQ(printed(w, type, script), written);
}

TEST(DiskNames, TheRootDiskIsMountedOnTheRootFolder) {
  expect_printed(
      "p3.2xlarge",
      "lsblk -rno NAME,TYPE,SIZE,MOUNTPOINT | grep xvda\n"
      "df --output=source /; findmnt -no SOURCE /; lsblk -no PKNAME $(findmnt -no SOURCE /)\n",
      "xvda disk 8G \nxvda1 part 8G /\nFilesystem\n/dev/xvda1\n/dev/xvda1\nxvda\n");
}

TEST(DiskNames, AVolumeIsTheDiskThatIsNotTheRoot) {
  expect_printed(
      "p3.2xlarge",
      "until lsblk | grep -q xvdf; do sleep 1; done\n"
      "disk=$(lsblk -dpno NAME | grep -v \"$(lsblk -pno PKNAME $(findmnt -no SOURCE /))\")\n"
      "echo $disk; mkfs.ext4 -q $disk; lsblk -no FSTYPE $disk; mkdir /data; mount $disk /data\n"
      "lsblk -rno NAME,MOUNTPOINT; tail -1 /proc/partitions | awk '{print $3, $4}'\n",
      "/dev/xvdf\next4\nxvda \nxvda1 /\nxvdf /data\n1048576 xvdf\n");
}

TEST(DiskNames, AVolumeIsFoundByItsLabel) {
  expect_printed("p3.2xlarge",
                 "until [ -b /dev/xvdf ]; do sleep 1; done; mkfs.ext4 -q -L data /dev/xvdf\n"
                 "mkdir /data; mount LABEL=data /data; df --output=source /data; blkid -L data\n",
                 "Filesystem\n/dev/xvdf\n/dev/xvdf\n");
}

TEST(DiskNames, UbuntuLinksAnNvmeDiskByItsVolumeAlone) {
  expect_printed(
      "g4dn.xlarge",
      "until [ -e /dev/nvme1n1 ]; do sleep 1; done; ls -d /dev/sd* /dev/xvd* 2>/dev/null\n"
      "readlink -f /dev/disk/by-id/*\n",
      "/dev/nvme1n1\n");
}

TEST(DiskNames, OnNitroWithAmazonLinuxTheyAreNvmeDisks) {
  expect_printed(
      "g4dn.xlarge",
      "until [ -e /dev/nvme1n1 ]; do sleep 1; done; lsblk -rno NAME,TYPE\n"
      "[ \"$(lsblk -no SERIAL /dev/nvme1n1)\" = \"$(ls /dev/disk/by-id | sed s/.*_//)\" ]\n"
      "echo $?; readlink -f /dev/sdf /dev/xvdf /dev/disk/by-id/*\n"
      "mkfs.ext4 -q /dev/xvdf; mkdir /data; mount /dev/xvdf /data; df --output=source /data\n"
      "umount /data; mount /dev/nvme1n1 /data; lsblk -rno NAME,MOUNTPOINT\n",
      "nvme0n1 disk\nnvme0n1p1 part\nnvme1n1 disk\n0\n/dev/nvme1n1\n/dev/nvme1n1\n"
      "/dev/nvme1n1\nFilesystem\n/dev/nvme1n1\nnvme0n1 \nnvme0n1p1 /\nnvme1n1 /data\n",
      "ec2-user");
}

}  // namespace
}  // namespace sim::guest
