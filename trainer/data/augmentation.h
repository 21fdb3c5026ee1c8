// Random crops and flips. Each is a pure function of (seed, epoch, image). So they are the same for
// any number of threads, and there is no state to save.
#pragma once

#include <cstdint>
#include <string_view>

namespace spottrain {

// The augmentation of He et al., "Deep residual learning for image recognition", CVPR 2016, section
// 4.2.
struct Augmentation {
  int padding = 0;    // black pixels (value 0, before normalisation) around; cropped at random
  bool flip = false;  // left to right, every other time

  bool operator==(const Augmentation&) const = default;
};

// Reads "none", "crop:4", "flip" or "crop:4,flip"; throws std::invalid_argument.
Augmentation parse_augmentation(std::string_view text);

// The position at which an image is cut out of its padded form. (padding, padding) is the image
// itself.
struct Crop {
  int row = 0, column = 0;
  bool flipped = false;
};
Crop crop_of(const Augmentation& augmentation, std::uint64_t seed, std::int64_t epoch,
             std::uint32_t image);

}  // namespace spottrain
