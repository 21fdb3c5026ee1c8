#include "sim/guest/disks/device_names.h"

#include <gtest/gtest.h>

namespace sim::guest {
namespace {

using Names = std::vector<std::string>;

TEST(DeviceNames, AVolumeHasThatOfItsAttachmentPointOrTheNextFreeNvmeNumber) {
  EXPECT_EQ(volume_device(false, "/dev/xvdf", {}), "/dev/xvdf");
  EXPECT_EQ(volume_device(true, "/dev/xvdf", {}), "/dev/nvme1n1");
  EXPECT_EQ(volume_device(true, "/dev/xvdg", {"/dev/nvme1n1", "/dev/nvme3n1"}), "/dev/nvme2n1");
}

TEST(DeviceNames, OtherNamesLeadToTheDevice) {
  const std::string by_id = "/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_vol1";
  constexpr auto kAmazon = DiskLinks::kOfAmazonLinux;
  EXPECT_EQ(volume_names("/dev/xvdf", "/dev/xvdf", "vol-1", kAmazon),
            (Names{"/dev/xvdf", "/dev/sdf"}));
  EXPECT_EQ(volume_names("/dev/nvme1n1", "/dev/xvdf", "vol-1", kAmazon),
            (Names{"/dev/nvme1n1", "/dev/xvdf", "/dev/sdf", by_id}));
  EXPECT_EQ(volume_names("/dev/xvdf", "/dev/xvdf", "vol-1", DiskLinks::kNone),
            (Names{"/dev/xvdf"}));
  EXPECT_EQ(volume_names("/dev/nvme1n1", "/dev/xvdf", "vol-1", DiskLinks::kNone),
            (Names{"/dev/nvme1n1", by_id}));
}

TEST(DeviceNames, NumbersAreThoseThatSuchAnInstanceShows) {
  EXPECT_EQ(shown_number("/dev/xvdf"), "202:80");
  EXPECT_EQ(shown_number("/dev/xvdb1"), "202:17");
  EXPECT_EQ(shown_number("/dev/xvdba"), "202:13312");
  EXPECT_EQ(shown_number("/dev/xvdcz"), "202:26368");
  EXPECT_EQ(shown_number("/dev/nvme1n1"), "259:2");
  EXPECT_EQ(root_disk(true, 8LL << 30, "vol-2").disk.serial, "vol2");
}

}  // namespace
}  // namespace sim::guest
