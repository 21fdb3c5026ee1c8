#include "trainer/data/batch_loader.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

#include "trainer/data/order.h"
#include "trainer/data/philox.h"

namespace spottrain {
namespace {

Images random_images(ImageShape shape, std::uint32_t count) {
  Images images{.shape = shape, .pixels = {}, .labels = {}};
  Philox random(1, Purpose::shapes, 0);
  for (std::size_t i = 0; i < count * shape.size(); ++i) {
    images.pixels.push_back(static_cast<std::uint8_t>(random.below(256)));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    images.labels.push_back(static_cast<std::uint8_t>(i % 10));
  }
  return images;
}

// The definition, pixel by pixel: pad with zeros, crop, flip, normalise.
std::vector<float> defined(const Images& images, std::uint32_t index, const Augmentation& a,
                           const Crop& crop, const Normalisation& normalisation) {
  const ImageShape& shape = images.shape;
  std::vector<float> result;
  for (int row = 0; row < shape.height; ++row) {
    for (int column = 0; column < shape.width; ++column) {
      const int from_row = row + crop.row - a.padding;
      const int from_column =
          (crop.flipped ? shape.width - 1 - column : column) + crop.column - a.padding;
      const bool inside =
          from_row >= 0 && from_row < shape.height && from_column >= 0 && from_column < shape.width;
      for (int c = 0; c < shape.channels; ++c) {
        const int at = (from_row * shape.width + from_column) * shape.channels + c;
        const float value = inside ? images.image(index)[static_cast<std::size_t>(at)] : 0;
        const auto channel = static_cast<std::size_t>(c);
        result.push_back((value - normalisation.mean[channel]) * normalisation.scale[channel]);
      }
    }
  }
  return result;
}

TEST(BatchLoader, ImagesAreCroppedFlippedAndNormalisedAsDefined) {
  for (const ImageShape shape : {ImageShape{6, 5, 3}, ImageShape{4, 4, 1}}) {
    for (const Augmentation augmentation :
         {Augmentation{}, Augmentation{4, true}, Augmentation{1, false}, Augmentation{0, true}}) {
      const Images images = random_images(shape, 40);
      const Normalisation normalisation = normalisation_of(images);
      BatchLoader loader(images, normalisation, augmentation, 9, 16);
      for (std::int64_t step = 0; step < 6; ++step) {
        const std::vector<std::uint32_t> indices(loader.indices(step).begin(),
                                                 loader.indices(step).end());
        std::vector<float> expected;
        for (const std::uint32_t index : indices) {
          const auto one = defined(images, index, augmentation,
                                   crop_of(augmentation, 9, step / 3, index), normalisation);
          expected.insert(expected.end(), one.begin(), one.end());
        }
        const LoadedBatch batch = loader.load(step);
        EXPECT_EQ(std::vector(batch.images.begin(), batch.images.end()), expected);
        ASSERT_EQ(batch.labels.size(), indices.size());
        EXPECT_EQ(batch.labels[0], images.label(indices[0]));
      }
    }
  }
}

TEST(BatchLoader, AStepsBatchDependsOnTheStepAlone) {
  const Images images = random_images({8, 8, 3}, 50);
  const auto make = [&] {
    return BatchLoader(images, fixed_normalisation(3), {.padding = 4, .flip = true}, 5, 16);
  };
  BatchLoader straight = make();
  EXPECT_EQ(straight.steps_per_epoch(), 4);  // 16 + 16 + 16 + 2
  for (std::int64_t step = 0; step < 9; ++step) {
    const LoadedBatch batch = straight.load(step);
    BatchLoader jumped = make();
    const LoadedBatch same = jumped.load(step);
    EXPECT_TRUE(std::equal(batch.images.begin(), batch.images.end(), same.images.begin(),
                           same.images.end()));
  }
  EXPECT_EQ(straight.load(7).labels.size(), 2u);
}

TEST(BatchLoader, AnEpochShowsEachImageOnceInItsOrder) {
  const Images images = random_images({2, 2, 1}, 50);
  BatchLoader loader(images, fixed_normalisation(1), {}, 5, 16);
  std::vector<std::uint32_t> seen;
  for (std::int64_t step = 4; step < 8; ++step) {
    const auto indices = loader.indices(step);
    seen.insert(seen.end(), indices.begin(), indices.end());
  }
  EXPECT_EQ(seen, epoch_order(5, 1, 50));
}

TEST(BatchLoader, ThreadsFillTheSameBytesAsOne) {
  const Images images = random_images({16, 16, 3}, 64);
  BatchLoader loader(images, normalisation_of(images), {.padding = 4, .flip = true}, 5, 64);
  const LoadedBatch batch = loader.load(2);
  const auto indices = loader.indices(2);
  std::vector<float> filled(batch.images.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t part = 0; part < 4; ++part) {
      threads.emplace_back([&, part] {
        loader.fill(indices.subspan(part * 16, 16), 2,
                    std::span(filled).subspan(part * 16 * 768, 16 * 768));
      });
    }
  }
  EXPECT_TRUE(std::equal(filled.begin(), filled.end(), batch.images.begin()));
}

TEST(BatchLoader, EvaluationLoadsImagesWithoutAugmentation) {
  const Images images = random_images({3, 3, 1}, 10);
  BatchLoader loader(images, fixed_normalisation(1), {.padding = 4, .flip = true}, 5, 4);
  const LoadedBatch batch = loader.load_plain(8, 2);
  EXPECT_EQ(batch.labels[0], 8);
  EXPECT_EQ(batch.images.size(), 18u);
  EXPECT_EQ(batch.images[9], (images.image(9)[0] - 127.5f) * (4.0f / 255.0f));
}

TEST(Normalisation, IsTheMeanAndDeviationOfEachChannel) {
  const Images images{.shape = {1, 2, 2}, .pixels = {10, 5, 20, 5, 30, 5, 40, 5}, .labels = {0, 1}};
  const Normalisation normalisation = normalisation_of(images);
  EXPECT_FLOAT_EQ(normalisation.mean[0], 25);
  EXPECT_FLOAT_EQ(1 / normalisation.scale[0], 11.180340f);
  EXPECT_FLOAT_EQ(normalisation.mean[1], 5);
  EXPECT_FLOAT_EQ(normalisation.scale[1], 1);
}

TEST(Augmentation, EveryCropAndBothFlipsAreEquallyLikely) {
  const Augmentation augmentation{.padding = 4, .flip = true};
  std::map<std::pair<int, int>, int> crops;
  int flips = 0;
  for (std::uint32_t image = 0; image < 81'000; ++image) {
    const Crop crop = crop_of(augmentation, 1, 3, image);
    ++crops[{crop.row, crop.column}];
    flips += crop.flipped;
  }
  ASSERT_EQ(crops.size(), 81u);
  // Chi-square with 80 degrees of freedom exceeds 124.8 once in a thousand seeds.
  double chi_square = 0;
  for (const auto& [crop, count] : crops) chi_square += (count - 1000.0) * (count - 1000.0) / 1000;
  EXPECT_LT(chi_square, 124.8);
  EXPECT_NEAR(flips, 40'500, 600);
}

TEST(Augmentation, ChangesWithSeedEpochAndImage) {
  const Augmentation augmentation{.padding = 30, .flip = false};
  std::set<std::pair<int, int>> crops;
  for (const auto& [seed, epoch, image] :
       {std::tuple{1u, 0, 0u}, {2u, 0, 0u}, {1u, 1, 0u}, {1u, 0, 1u}}) {
    const Crop crop = crop_of(augmentation, seed, epoch, image);
    crops.insert({crop.row, crop.column});
  }
  EXPECT_EQ(crops.size(), 4u);
}

TEST(Augmentation, IsReadFromText) {
  EXPECT_EQ(parse_augmentation("none"), (Augmentation{}));
  EXPECT_EQ(parse_augmentation("crop:4"), (Augmentation{4, false}));
  EXPECT_EQ(parse_augmentation("flip,crop:2"), (Augmentation{2, true}));
  for (const char* bad :
       {"", "crop", "crop:0", "crop:65", "crop:4x", "flip,flip", "flip,", "none,"}) {
    EXPECT_THROW(parse_augmentation(bad), std::invalid_argument) << bad;
  }
}

}  // namespace
}  // namespace spottrain
