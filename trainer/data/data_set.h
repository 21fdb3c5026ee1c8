// Labelled pictures in memory, independent of their files' format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "trainer/model/image_shape.h"

namespace spottrain {

// The data set cannot be read. what() names the file, what was found and what was expected.
struct DataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Images of one shape with 8 bits a channel, and the class of each.
struct Images {
  ImageShape shape;
  std::vector<std::uint8_t> pixels;  // image by image, each in NHWC order
  std::vector<std::uint8_t> labels;

  std::uint32_t size() const { return static_cast<std::uint32_t>(labels.size()); }
  int label(std::uint32_t i) const { return labels[i]; }
  std::span<const std::uint8_t> image(std::uint32_t i) const {
    return std::span(pixels).subspan(i * shape.size(), shape.size());
  }
};

struct DataSet {
  std::string format;  // "CIFAR-10"
  int classes = 0;     // labels are 0 … classes − 1
  Images train, validation, test;
  std::string fingerprint;  // XXH3-128 of all members above, 32 hexadecimal digits

  ImageShape shape() const { return train.shape; }
};

inline constexpr std::string_view kCifar100 = "CIFAR-100";

// The label of CIFAR-100 that is used.
enum class Cifar100Labels { fine, coarse };

// Reads a folder. The names of its files determine the format (docs/data.md): CIFAR-10 or CIFAR-100
// in their binary versions, MNIST's IDX, or UCI's optdigits, each plain or as .gz. The result has
// at least one training image. `validation` is empty (see hold_out), and so is `test` if the folder
// has only one set. Throws DataError if the folder has no data set or two formats, if a file is
// damaged, or if coarse labels are requested and missing.
DataSet read_data_set(const std::filesystem::path& folder,
                      Cifar100Labels labels = Cifar100Labels::fine);

// Moves `count` training images, drawn with a seed, to `validation`. Both parts keep their order.
// The draw depends on the seed, the count and the number of images. Each image i has a random
// number, a function of (seed, i). The images with the `count` smallest numbers are drawn. The
// fingerprint becomes that of the new division. Throws std::invalid_argument unless 0 <= count <
// the number of training images.
DataSet hold_out(DataSet data, std::uint32_t count, std::uint64_t seed);

// Parses a number of images: "0.2" is a share (below 1), "2000" a count. Throws
// std::invalid_argument for other texts, or if no image would remain.
std::uint32_t held_out_count(std::string_view text, std::uint32_t images);

}  // namespace spottrain
