// Disk images, and the time that transfers take.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/files/file_descriptor.h"
#include "base/files/folder_for_test.h"
#include "sim/guest/disks/disk_image.h"
#include "sim/guest/disks/disk_speed.h"
#include "sim/guest/disks/mounts.h"
#include "sim/guest/sandbox/file_tree.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

class SparseFile : public testing::Test {
 protected:
  void put(const fs::path& file, off_t at, const std::string& text) {
    const base::FileDescriptor out(open(file.c_str(), O_WRONLY | O_CLOEXEC));
    ASSERT_EQ(pwrite(out.get(), text.data(), text.size(), at), static_cast<ssize_t>(text.size()));
  }
  base::FolderForTest folder;
};

TEST_F(SparseFile, CopiesItsDataAndCountsBlocksThatHoldSome) {
  create_sparse(folder / "a", std::int64_t{100} << 30);
  put(folder / "a", 0, "front");
  put(folder / "a", 64 * 1024, "same block");
  put(folder / "a", off_t{50} << 30, "middle");
  EXPECT_EQ(copy_sparse(folder / "a", folder / "b"), 2 * kSnapshotBlock);
  EXPECT_EQ(fs::file_size(folder / "b"), std::uintmax_t{100} << 30);
  std::ifstream in(folder / "b");
  in.seekg(std::int64_t{50} << 30);
  std::string text(6, ' ');
  in.read(text.data(), 6);
  EXPECT_EQ(text, "middle");
}

TEST_F(SparseFile, ComparesItsBlocksWithAnEarlierCopys) {
  create_sparse(folder / "a", std::int64_t{10} << 30);
  put(folder / "a", 0, "front");
  put(folder / "a", off_t{5} << 30, "middle");
  copy_sparse(folder / "a", folder / "before");
  EXPECT_EQ(changed_blocks(folder / "before", folder / "a"), 0);
  put(folder / "a", 10, "front");
  put(folder / "a", off_t{5} << 30, "middle");  // the same
  grow(folder / "a", std::int64_t{20} << 30);
  put(folder / "a", off_t{15} << 30, "beyond the end");
  EXPECT_EQ(changed_blocks(folder / "before", folder / "a"), 2 * kSnapshotBlock);
}

TEST(FileTrees, AreComparedFileByFile) {
  const base::FolderForTest folder;
  const auto write = [&](const char* name, const char* text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  };
  write("before/same", "12");
  write("before/sub/other", "1234");
  write("now/same", "12");
  write("now/sub/other", "1243");
  write("now/sub/new", "123");
  EXPECT_EQ(changed_files(folder / "before", folder / "now"), 7);
  EXPECT_EQ(changed_files(folder / "now", folder / "now"), 0);
}

TEST(FileTrees, ThatCannotBeReadCountAsChanged) {
  const base::FolderForTest folder;
  fs::permissions((folder / "a").parent_path(), fs::perms{0755});
  for (const char* name : {"before", "now"}) {
    fs::create_directory(folder / name);
    std::ofstream(folder / name / "secret") << "12";
    fs::permissions(folder / name / "secret", fs::perms::none);
  }
  const bool is_root = geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const std::int64_t changed = changed_files(folder / "before", folder / "now");
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_EQ(changed, 2);
}

TEST_F(SparseFile, AnEmptyDiskStoresNothing) {
  create_sparse(folder / "a", std::int64_t{1} << 30);
  EXPECT_EQ(copy_sparse(folder / "a", folder / "b"), 0);
  grow(folder / "b", std::int64_t{2} << 30);
  EXPECT_EQ(fs::file_size(folder / "b"), std::uintmax_t{2} << 30);
}

constexpr Time kBegin{};
const cloud::VolumePerformance kSteady{
    .bytes_per_second = 100 * kMebibyte, .iops = 3000, .burst_iops = 3000};

TEST(DiskMeter, ReadsASnapshotsBytesSlowlyOnce) {
  DiskMeter meter(kSteady, ColdBlocks({{0, 40 * kMebibyte}}));
  EXPECT_EQ(meter.read(kBegin, 20 * kMebibyte), 1s);
  EXPECT_EQ(meter.read(kBegin + 1min, 120 * kMebibyte), 2s);
  EXPECT_EQ(meter.read(kBegin + 2min, 100 * kMebibyte), 1s);
}

TEST(ColdBlocks, AreEachFetchedOnce) {
  constexpr std::int64_t kBlock = kSnapshotBlock;
  ColdBlocks cold({{kBlock + 1, 2 * kBlock}, {4 * kBlock, 6 * kBlock}});
  EXPECT_EQ(cold.read({0, kBlock}), 0) << "is a hole";
  EXPECT_EQ(cold.read({2 * kBlock - 1, 5 * kBlock}), 2 * kBlock) << "of two blocks all";
  EXPECT_EQ(cold.read({0, 5 * kBlock}), 0);
  EXPECT_FALSE(cold.empty());
  EXPECT_EQ(cold.read_any(10 * kBlock), kBlock);
  EXPECT_TRUE(cold.empty());
  EXPECT_EQ(cold.read({0, 100 * kBlock}), 0);
}

TEST(DiskMeter, ChargesASyncForWhatTheFileGrewBy) {
  DiskMeter meter(kSteady, {});
  Time now = kBegin;
  const auto sync = [&](std::int64_t born, std::int64_t mebibytes, std::int64_t modified) {
    return meter.synced(
               now += 1min,
               {.inode = 1, .born = born, .size = mebibytes * kMebibyte, .modified = modified}) -
           kSyncLatency;
  };
  EXPECT_EQ(sync(5, 50, 10), 500ms);
  EXPECT_EQ(sync(5, 50, 10), 0s);
  EXPECT_EQ(sync(5, 60, 11), 100ms);
  EXPECT_EQ(sync(5, 60, 12), 600ms) << "written anew";
  EXPECT_EQ(sync(7, 61, 13), 610ms) << "another file with a deleted one's inode";
}

TEST(DiskMeter, AnswersNoSyncWhileItIsPaused) {
  DiskMeter meter(kSteady, {});
  meter.pause(kBegin + 1min);
  EXPECT_EQ(meter.synced(kBegin, {.inode = 7}), 1min + kSyncLatency) << "of nothing new";
  EXPECT_EQ(meter.pause_left(kBegin + 20s), 40s);
  EXPECT_EQ(meter.pause_left(kBegin + 2min), 0s);
  EXPECT_EQ(meter.synced(kBegin + 2min, {.inode = 7}), kSyncLatency);
}

TEST(DiskMeter, ChargesTheDevicesImageForWhatItStoresMore) {
  DiskMeter meter(kSteady, {});
  meter.stands_at(10 * kMebibyte);
  EXPECT_EQ(meter.image_synced(kBegin, 60 * kMebibyte), 500ms + kSyncLatency);
  EXPECT_EQ(meter.image_synced(kBegin, 60 * kMebibyte), kSyncLatency);
}

TEST_F(SparseFile, AFoldersLinkCountsUntilItIsGone) {
  fs::create_directories(folder / "volume");
  fs::create_directories(folder / "mnt/full");
  FolderLinks links;
  EXPECT_EQ(links.link(folder / "volume", folder / "mnt"), ENOTEMPTY);
  EXPECT_EQ(links.link(folder / "volume", folder / "mnt/full"), 0);
  EXPECT_EQ(links.link(folder / "volume", folder / "mnt/full"), EBUSY);
  EXPECT_TRUE(links.linked(folder / "volume"));
  EXPECT_TRUE(links.unlink(folder / "mnt/full"));
  EXPECT_FALSE(links.unlink(folder / "mnt/full"));
  EXPECT_EQ(links.link(folder / "volume", folder / "mnt/full"), 0) << "a folder again";
  fs::remove(folder / "mnt/full");
  EXPECT_FALSE(links.linked(folder / "volume")) << "the guest removed it";
}

}  // namespace
}  // namespace sim::guest
