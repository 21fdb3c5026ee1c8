// The inputs and weights that a convolution multiplies, forward and back to the input, as taps for
// the product kernel.
#pragma once

#include <vector>

#include "trainer/cpu/kernels/kernels.h"
#include "trainer/cpu/tensor.h"
#include "trainer/model/description.h"

namespace spottrain::cpu {

// Rows of the result that have the same taps: first, first + step, … In each row: the pixels
// first_pixel, first_pixel + step, …
struct RowGroup {
  int first = 0, count = 0, step = 1;
  int first_pixel = 0, pixels = 0;
  std::ptrdiff_t source = 0;      // in the other tensor, of the first row's and pixel's place,
  std::ptrdiff_t source_row = 0;  // and from row to row; floats
  std::vector<Tap> taps;          // none: nothing meets these pixels
};

class ConvGeometry {
 public:
  ConvGeometry(const Conv& conv, ImageShape input, ImageShape output)
      : conv_(conv), input_(input), output_(output) {}

  int taps() const { return conv_.kernel * conv_.kernel; }

  // The taps of the output's rows. The weights' rows are (row, column, input channel).
  std::vector<RowGroup> forward(const Layout& input) const;
  // The taps of the input's rows. The weights' rows are those of backward_row().
  std::vector<RowGroup> backward(const Layout& output) const;
  // The row of (row, column, output channel 0) in the weights that are packed for backward().
  int backward_row(int kernel_row, int kernel_column) const;

  // The output rows that a row of the kernel meets: [first, last).
  struct Rows {
    int first, last;
  };
  Rows rows_met(int kernel_row) const;

 private:
  // The number of values residue, residue + stride, … below the kernel's size.
  int count_of(int residue) const {
    return residue < conv_.kernel ? (conv_.kernel - residue - 1) / conv_.stride + 1 : 0;
  }
  void add_backward_class(const Layout& output, int row_residue, int column_residue,
                          std::vector<RowGroup>& groups) const;

  Conv conv_;
  ImageShape input_, output_;
};

}  // namespace spottrain::cpu
