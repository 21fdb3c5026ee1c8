// Real digits, on machines that have them: in data/ under the folder SPOTSIM_SHARED, else under
// ../shared beside the sources.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "trainer/data/data_set.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

class RealDigits : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("SPOTSIM_SHARED");
    const fs::path shared =
        named ? fs::path(named) : fs::path(SPOTSIM_SOURCE_DIR) / ".." / "shared";
    data_ = shared / "data";
    if (!fs::is_directory(data_))
      GTEST_SKIP() << "no real digits: set SPOTSIM_SHARED to the folder that has data/";
  }
  fs::path data_;
};

std::array<int, 10> images_by_label(const Images& images) {
  std::array<int, 10> counts{};
  for (const std::uint8_t label : images.labels) ++counts[label];
  return counts;
}

TEST_F(RealDigits, MnistsTestImagesHaveThePublishedDistribution) {
  const DataSet data = read_data_set(data_ / "mnist-t10k");
  EXPECT_EQ(data.shape(), (ImageShape{28, 28, 1}));
  EXPECT_EQ(images_by_label(data.train),
            (std::array<int, 10>{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}));
  EXPECT_EQ(data.train.label(0), 7);
}

TEST_F(RealDigits, OptdigitsHaveThePublishedDistribution) {
  const DataSet data = read_data_set(data_ / "optdigits");
  EXPECT_EQ(images_by_label(data.train),
            (std::array<int, 10>{376, 389, 380, 389, 387, 376, 377, 387, 380, 382}));
  EXPECT_EQ(images_by_label(data.test),
            (std::array<int, 10>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}));
}

}  // namespace
}  // namespace spottrain
