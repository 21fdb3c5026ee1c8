// A batch of activations or of their gradients. A border of zero pixels separates the rows. So a
// convolution can read beyond a row's ends without a check. Code that writes must write the pixels
// only.
#pragma once

#include <cstddef>

#include "trainer/cpu/kernels/kernels.h"
#include "trainer/engine/buffer.h"
#include "trainer/model/image_shape.h"

namespace spottrain::cpu {

// The memory layout of a tensor's images; strides are in floats. The border at the end of a row is
// also the border before the next row.
struct Layout {
  ImageShape shape;
  int border = 0;  // pixels

  std::ptrdiff_t pixel() const { return shape.channels; }
  std::ptrdiff_t row() const { return std::ptrdiff_t{shape.width + border} * shape.channels; }
  std::ptrdiff_t image() const;
  // The longest contiguous runs: the whole image, or its rows. Each has run_pixels() pixels.
  int runs() const { return border == 0 ? 1 : shape.height; }
  int run_pixels() const { return border == 0 ? shape.height * shape.width : shape.width; }
  std::size_t run_size() const {
    return static_cast<std::size_t>(run_pixels()) * static_cast<std::size_t>(shape.channels);
  }
  bool operator==(const Layout&) const = default;
};

class Tensor {
 public:
  Tensor(const Layout& layout, int images);
  const Layout& layout() const { return layout_; }
  // The first pixel of a row.
  float* row(int image, int y) const {
    return data_.data() + first_ + image * layout_.image() + y * layout_.row();
  }
  Rows rows(int image) const { return {row(image, 0), layout_.row()}; }

 private:
  Layout layout_;
  std::ptrdiff_t first_;
  Buffer data_;
};

}  // namespace spottrain::cpu
