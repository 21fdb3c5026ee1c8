#include "trainer/data/batch_loader.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "trainer/data/order.h"

namespace spottrain {
namespace {

std::vector<float> repeated(const std::vector<float>& channels, int width) {
  std::vector<float> row;
  for (int i = 0; i < width; ++i) row.insert(row.end(), channels.begin(), channels.end());
  return row;
}

// Copies a row of pixels, shifted right by `shift` (left if it is negative), with zeros in the gap.
// If `flipped`, the pixels are in reverse order.
void cut_row(const std::uint8_t* from, int width, std::size_t channels, int shift, bool flipped,
             std::uint8_t* to) {
  const int begin = std::clamp(shift, 0, width), end = std::clamp(width + shift, 0, width);
  std::memset(to, 0, static_cast<std::size_t>(width) * channels);
  if (begin >= end) return;
  if (!flipped) {
    std::memcpy(to + static_cast<std::size_t>(begin) * channels,
                from + static_cast<std::size_t>(begin - shift) * channels,
                static_cast<std::size_t>(end - begin) * channels);
    return;
  }
  for (int column = begin; column < end; ++column) {
    const std::uint8_t* pixel = from + static_cast<std::size_t>(column - shift) * channels;
    std::uint8_t* mirrored = to + static_cast<std::size_t>(width - 1 - column) * channels;
    for (std::size_t c = 0; c < channels; ++c) mirrored[c] = pixel[c];
  }
}

// Subtracts, then multiplies. A compiler cannot fuse the two, so every machine computes the same
// bits.
void normalise(const std::uint8_t* from, const float* mean, const float* scale, std::size_t size,
               float* __restrict to) {
  for (std::size_t i = 0; i < size; ++i) {
    to[i] = (static_cast<float>(from[i]) - mean[i]) * scale[i];
  }
}

}  // namespace

BatchLoader::BatchLoader(const Images& images, Normalisation normalisation,
                         Augmentation augmentation, std::uint64_t seed, std::int64_t batch_size)
    : images_(images),
      augmentation_(augmentation),
      seed_(seed),
      batch_size_(batch_size),
      row_mean_(repeated(normalisation.mean, images.shape.width)),
      row_scale_(repeated(normalisation.scale, images.shape.width)) {}

std::int64_t BatchLoader::steps_per_epoch() const {
  return (images_.size() + batch_size_ - 1) / batch_size_;
}

std::span<const std::uint32_t> BatchLoader::indices(std::int64_t step) {
  const std::int64_t epoch = step / steps_per_epoch();
  if (epoch != ordered_epoch_) {
    order_ = epoch_order(seed_, epoch, images_.size());
    ordered_epoch_ = epoch;
  }
  const auto size = static_cast<std::size_t>(batch_size_);
  const std::size_t first = static_cast<std::size_t>(step % steps_per_epoch()) * size;
  return std::span(order_).subspan(first, std::min(size, order_.size() - first));
}

LoadedBatch BatchLoader::load(std::int64_t step) {
  const auto chosen = indices(step);
  pixels_.resize(chosen.size() * images_.shape.size());
  fill(chosen, step / steps_per_epoch(), pixels_);
  return with_labels(chosen);
}

LoadedBatch BatchLoader::load_plain(std::uint32_t first, std::uint32_t count) {
  plain_.resize(count);
  std::iota(plain_.begin(), plain_.end(), first);
  pixels_.resize(count * images_.shape.size());
  fill_with({}, plain_, 0, pixels_);
  return with_labels(plain_);
}

LoadedBatch BatchLoader::with_labels(std::span<const std::uint32_t> indices) {
  labels_.clear();
  for (const std::uint32_t index : indices) labels_.push_back(images_.label(index));
  return {.images = pixels_, .labels = labels_};
}

void BatchLoader::fill(std::span<const std::uint32_t> indices, std::int64_t epoch,
                       std::span<float> pixels) const {
  fill_with(augmentation_, indices, epoch, pixels);
}

void BatchLoader::fill_with(const Augmentation& augmentation,
                            std::span<const std::uint32_t> indices, std::int64_t epoch,
                            std::span<float> pixels) const {
  std::vector<std::uint8_t> row_bytes(row_mean_.size());
  float* to = pixels.data();
  for (const std::uint32_t index : indices) {
    write(index, augmentation, crop_of(augmentation, seed_, epoch, index), row_bytes, to);
    to += images_.shape.size();
  }
}

void BatchLoader::write(std::uint32_t index, const Augmentation& augmentation, const Crop& crop,
                        std::vector<std::uint8_t>& row_bytes, float* to) const {
  const ImageShape& shape = images_.shape;
  const std::uint8_t* image = images_.image(index).data();
  const std::size_t row_size = row_mean_.size();
  const int down = crop.row - augmentation.padding, shift = augmentation.padding - crop.column;
  for (int row = 0; row < shape.height; ++row, to += row_size) {
    const int source = row + down;
    if (source < 0 || source >= shape.height) {
      std::fill(row_bytes.begin(), row_bytes.end(), std::uint8_t{0});
    } else {
      cut_row(image + static_cast<std::size_t>(source) * row_size, shape.width,
              static_cast<std::size_t>(shape.channels), shift, crop.flipped, row_bytes.data());
    }
    normalise(row_bytes.data(), row_mean_.data(), row_scale_.data(), row_size, to);
  }
}

}  // namespace spottrain
