#include "trainer/cpu/weights.h"

#include <algorithm>

namespace spottrain::cpu {
namespace {

std::size_t product(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

}  // namespace

PackedWeights::PackedWeights(int rows, int channels)
    : rows_(rows), channels_(channels), data_(product(rows, padded(channels))) {}

void PackedWeights::pack(const float* weights, int panel) {
  const int count = std::min(kPanel, channels_ - panel * kPanel);
  float* to = data_.data() + panel * panel_stride();
  const float* from = weights + panel * kPanel;
  for (int row = 0; row < rows_; ++row, to += kPanel, from += channels_) {
    std::copy_n(from, count, to);
  }
}

void PackedWeights::pack_transposed(const float* weights, int columns, int panel, int first_row) {
  const int count = std::min(kPanel, channels_ - panel * kPanel);
  float* to = data_.data() + panel * panel_stride() + std::ptrdiff_t{first_row} * kPanel;
  const float* from = weights + std::ptrdiff_t{panel} * kPanel * columns;
  for (int column = 0; column < columns; ++column, to += kPanel) {
    for (int channel = 0; channel < count; ++channel) {
      to[channel] = from[std::ptrdiff_t{channel} * columns + column];
    }
  }
}

void Scratch::reserve(std::size_t floats) {
  if (floats > buffer_.size()) buffer_ = Buffer(floats);
}

WeightSums::WeightSums(int rows, int channels, Scratch& scratch)
    : rows_(rows),
      channels_(channels),
      most_chunks_(most_chunks(rows, channels)),
      scratch_(scratch) {
  scratch.reserve(product(rows, padded(channels)) * static_cast<std::size_t>(most_chunks_));
}

void WeightSums::clear(int chunk, int first_row, int rows) const {
  std::fill_n(row(chunk, first_row), rows * stride(), 0.0f);
}

void WeightSums::add_total(const Kernels& kernels, Stages& stages, float* gradient) const {
  const int rows_a_task = std::max(1, 4096 / padded(channels_));
  const int tasks = (rows_ + rows_a_task - 1) / rows_a_task;
  stages.over_tasks([tasks](int) { return tasks; },
                    [=, *this, &kernels](int task, const Pass& pass) {
                      const int first = task * rows_a_task;
                      const int last = std::min(rows_, first + rows_a_task);
                      const auto channels = static_cast<std::size_t>(channels_);
                      for (int i = first; i < last; ++i) {
                        kernels.sum_parts(row(0, i), rows_ * stride(), chunks(pass.images),
                                          channels, gradient + i * std::ptrdiff_t{channels_});
                      }
                    });
}

}  // namespace spottrain::cpu
