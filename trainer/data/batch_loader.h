// Batches in an engine's form: float32 NHWC, normalised, augmented in training. A training's
// position in its data is its step; the loader has no other state.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trainer/data/augmentation.h"
#include "trainer/data/data_set.h"
#include "trainer/data/normalisation.h"

namespace spottrain {

struct LoadedBatch {
  std::span<const float> images;  // image by image
  std::span<const int> labels;
};

// Loads batches from one set of images, which must outlive the loader. Only fill() may be called by
// several threads at once.
class BatchLoader {
 public:
  // batch_size must be at least 1; `seed` is the seed of order and augmentation.
  BatchLoader(const Images& images, Normalisation normalisation, Augmentation augmentation,
              std::uint64_t seed, std::int64_t batch_size);

  // The last batch of an epoch has the remaining images.
  std::int64_t steps_per_epoch() const;
  // The images of a step (0 is the first), in order. Valid until the next call.
  std::span<const std::uint32_t> indices(std::int64_t step);
  // Loads the batch of a step, augmented. It is valid until the next load.
  LoadedBatch load(std::int64_t step);
  // Loads `count` images from number `first` on, without augmentation. Valid until the next load.
  LoadedBatch load_plain(std::uint32_t first, std::uint32_t count);

  // Writes these images in order, with the augmentation of the epoch. Thread-safe.
  void fill(std::span<const std::uint32_t> indices, std::int64_t epoch,
            std::span<float> pixels) const;

 private:
  LoadedBatch with_labels(std::span<const std::uint32_t> indices);
  // Writes one image. row_bytes is scratch memory with a row's size.
  void write(std::uint32_t index, const Augmentation& augmentation, const Crop& crop,
             std::vector<std::uint8_t>& row_bytes, float* to) const;
  void fill_with(const Augmentation& augmentation, std::span<const std::uint32_t> indices,
                 std::int64_t epoch, std::span<float> pixels) const;

  const Images& images_;
  Augmentation augmentation_;
  std::uint64_t seed_;
  std::int64_t batch_size_;
  std::vector<float> row_mean_, row_scale_;  // the channels', repeated for each pixel of a row
  std::int64_t ordered_epoch_ = -1;          // the epoch whose order is in order_
  std::vector<std::uint32_t> order_, plain_;
  std::vector<float> pixels_;
  std::vector<int> labels_;
};

}  // namespace spottrain
