// The shape of one image or activation, in NHWC order: row by row, a pixel's channels side by side.
#pragma once

#include <cstddef>

namespace spottrain {

struct ImageShape {
  int height = 1, width = 1, channels = 1;
  std::size_t size() const {
    return static_cast<std::size_t>(height) * static_cast<std::size_t>(width) *
           static_cast<std::size_t>(channels);
  }
  bool operator==(const ImageShape&) const = default;
};

}  // namespace spottrain
