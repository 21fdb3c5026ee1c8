// Weights in the order in which the product kernel reads them, and the sums of their gradients.
#pragma once

#include <cstddef>

#include "trainer/cpu/kernels/kernels.h"
#include "trainer/cpu/stages.h"
#include "trainer/cpu/tensor.h"

namespace spottrain::cpu {

inline int panels_of(int channels) { return (channels + kPanel - 1) / kPanel; }
inline int padded(int channels) { return panels_of(channels) * kPanel; }

// A matrix of rows × channels as panels of kPanel channels. Missing channels are zero.
class PackedWeights {
 public:
  PackedWeights(int rows, int channels);
  const float* data() const { return data_.data(); }
  std::ptrdiff_t panel_stride() const { return std::ptrdiff_t{rows_} * kPanel; }
  int panels() const { return panels_of(channels_); }

  // Fills one panel from weights[rows][channels].
  void pack(const float* weights, int panel);
  // Fills rows of a panel from weights[channels][columns]: column j becomes row first_row + j.
  void pack_transposed(const float* weights, int columns, int panel, int first_row);

 private:
  int rows_, channels_;
  Buffer data_;
};

// Memory for partial sums, which all layers share. One stage computes the partial sums, and the
// next stage adds them up.
class Scratch {
 public:
  void reserve(std::size_t floats);
  float* data() const { return buffer_.data(); }

 private:
  Buffer buffer_{0};
};

// The gradient of a matrix of weights as a sum over images, chunk by chunk (most_chunks()).
class WeightSums {
 public:
  // Reserves scratch, which must outlive this object.
  WeightSums(int rows, int channels, Scratch& scratch);

  int chunks(int images) const { return images < most_chunks_ ? images : most_chunks_; }
  // True if there are too few chunks to keep all threads busy.
  bool few_chunks() const { return most_chunks_ < kMostChunks; }
  std::ptrdiff_t stride() const { return padded(channels_); }
  float* row(int chunk, int row) const {
    return scratch_.data() + (std::ptrdiff_t{chunk} * rows_ + row) * stride();
  }
  void clear(int chunk, int first_row, int rows) const;
  // Adds to the plan: gradient = the sum of the chunks.
  void add_total(const Kernels& kernels, Stages& stages, float* gradient) const;

 private:
  int rows_, channels_, most_chunks_;
  Scratch& scratch_;
};

}  // namespace spottrain::cpu
