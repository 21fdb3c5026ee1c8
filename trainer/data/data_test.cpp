#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "base/files/folder_for_test.h"
#include "trainer/data/data_set.h"
#include "trainer/data/fixed_point.h"
#include "trainer/data/order.h"
#include "trainer/data/philox.h"
#include "trainer/data/shapes.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

TEST(FixedPoint, SineIsRightToItsLastPlaceButOne) {
  for (int angle = -0x10000; angle < 0x20000; angle += 97) {
    const double exact = std::sin(angle * 2 * 3.14159265358979323846 / 65536);
    EXPECT_NEAR(static_cast<double>(fixed::sine(angle)) / fixed::kOne, exact, 2e-5) << angle;
  }
}

TEST(EpochOrder, IsAPermutationThatDependsOnSeedAndEpochOnly) {
  const auto order = epoch_order(7, 3, 1000);
  auto sorted = order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> all(1000);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(sorted, all);
  EXPECT_EQ(order, epoch_order(7, 3, 1000));
  EXPECT_NE(order, epoch_order(7, 4, 1000));
  EXPECT_NE(order, epoch_order(8, 3, 1000));
}

TEST(Shapes, AreTheSameBytesOnEveryMachine) {
  XXH64_hash_t hash = 0;
  for (std::uint32_t i = 0; i < 50; ++i) {
    const Record train = shape_record(1, Split::train, i), test = shape_record(1, Split::test, i);
    hash = XXH3_64bits_withSeed(train.data(), train.size(), hash);
    hash = XXH3_64bits_withSeed(test.data(), test.size(), hash);
  }
  EXPECT_EQ(hash, 0x02dce4b2a24330c7u) << std::hex << hash;
}

TEST(Shapes, ASmallSetIsTheBeginningOfALargerSet) {
  const base::FolderForTest small, large;
  write_shapes(small.path(), 20, 5, 9);
  write_shapes(large.path(), 30, 10, 9);
  const DataSet a = read_data_set(small.path()), b = read_data_set(large.path());
  ASSERT_EQ(a.train.size(), 20u);
  ASSERT_EQ(b.test.size(), 10u);
  EXPECT_TRUE(std::equal(a.train.pixels.begin(), a.train.pixels.end(), b.train.pixels.begin()));
  EXPECT_TRUE(std::equal(a.test.labels.begin(), a.test.labels.end(), b.test.labels.begin()));
  EXPECT_NE(a.fingerprint, b.fingerprint);
}

TEST(Shapes, LargeSetsAreSplitAsCifarIsAndNeverMixedWithAnOlderSet) {
  const base::FolderForTest folder;
  write_shapes(folder.path(), 10'001, 1, 1);
  EXPECT_EQ(fs::file_size(folder / "data_batch_2.bin"), std::uintmax_t{kRecordBytes});
  EXPECT_EQ(read_data_set(folder.path()).train.size(), 10'001u);
  EXPECT_THROW(write_shapes(folder.path(), 100, 1, 1), DataError);
}

}  // namespace
}  // namespace spottrain
