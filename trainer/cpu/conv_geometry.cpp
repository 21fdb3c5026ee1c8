#include "trainer/cpu/conv_geometry.h"

#include <algorithm>

namespace spottrain::cpu {
namespace {

int floor_div(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

}  // namespace

std::vector<RowGroup> ConvGeometry::forward(const Layout& input) const {
  std::vector<RowGroup> groups;
  int last_low = 0, last_high = 0;
  for (int row = 0; row < output_.height; ++row) {
    const int top = row * conv_.stride - conv_.padding;
    const int low = std::clamp(-top, 0, conv_.kernel);
    const int high = std::clamp(input_.height - top, low, conv_.kernel);
    if (!groups.empty() && low == last_low && high == last_high) {
      ++groups.back().count;
      continue;
    }
    last_low = low;
    last_high = high;
    RowGroup group{.first = row, .count = 1, .pixels = output_.width};
    group.source = top * input.row() - conv_.padding * input.pixel();
    group.source_row = conv_.stride * input.row();
    for (int k = low; k < high; ++k) {
      const int run = conv_.kernel * input_.channels;
      group.taps.push_back({k * input.row(), std::ptrdiff_t{k} * run, run});
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// Input row y meets kernel row k in output row (y + padding − k) ÷ stride, if that is a whole
// number. So the kernel rows that y meets have y's residue modulo the stride. Columns work
// likewise.
std::vector<RowGroup> ConvGeometry::backward(const Layout& output) const {
  std::vector<RowGroup> groups;
  for (int i = 0; i < conv_.stride; ++i) {
    for (int j = 0; j < conv_.stride; ++j) add_backward_class(output, i, j, groups);
  }
  return groups;
}

void ConvGeometry::add_backward_class(const Layout& output, int row_residue, int column_residue,
                                      std::vector<RowGroup>& groups) const {
  const int stride = conv_.stride, padding = conv_.padding;
  const auto first_of = [&](int residue) {
    return ((residue - padding) % stride + stride) % stride;
  };
  const int first_pixel = first_of(column_residue);
  const int pixels = (input_.width - first_pixel + stride - 1) / stride;
  if (pixels <= 0) return;
  const int rows = count_of(row_residue), columns = count_of(column_residue);
  // The kernel's columns, from the last to the first, lie side by side in the output.
  const int run = columns * output_.channels;
  const int left = (first_pixel + padding - column_residue) / stride - (columns - 1);
  int last_low = -1, last_high = -1;
  for (int y = first_of(row_residue); y < input_.height; y += stride) {
    const int row = (y + padding - row_residue) / stride;  // output row that meets row_residue
    const int low = columns == 0 ? rows : std::clamp(row - (output_.height - 1), 0, rows);
    const int high = std::clamp(row + 1, low, rows);
    if (low == last_low && high == last_high) {
      ++groups.back().count;
      continue;
    }
    last_low = low;
    last_high = high;
    RowGroup group{
        .first = y, .count = 1, .step = stride, .first_pixel = first_pixel, .pixels = pixels};
    group.source = row * output.row() + left * output.pixel();
    group.source_row = output.row();
    for (int k = low; k < high; ++k) {
      const int kernel_column = column_residue + (columns - 1) * stride;
      group.taps.push_back(
          {-k * output.row(), backward_row(row_residue + k * stride, kernel_column), run});
    }
    groups.push_back(std::move(group));
  }
}

int ConvGeometry::backward_row(int kernel_row, int kernel_column) const {
  const int stride = conv_.stride;
  const int row_residue = kernel_row % stride, column_residue = kernel_column % stride;
  int before = 0;  // taps of the classes before this one
  for (int i = 0; i <= row_residue; ++i) {
    for (int j = 0; j < (i < row_residue ? stride : column_residue); ++j) {
      before += count_of(i) * count_of(j);
    }
  }
  const int columns = count_of(column_residue);
  const int from_last = columns - 1 - kernel_column / stride;
  return (before + kernel_row / stride * columns + from_last) * output_.channels;
}

ConvGeometry::Rows ConvGeometry::rows_met(int kernel_row) const {
  const int shift = conv_.padding - kernel_row;
  const int first = std::clamp((shift + conv_.stride - 1) / conv_.stride, 0, output_.height);
  const int last = floor_div(input_.height - 1 + shift, conv_.stride) + 1;
  return {first, std::clamp(last, first, output_.height)};
}

}  // namespace spottrain::cpu
