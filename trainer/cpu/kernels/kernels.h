// The arithmetic of the fast engine, compiled once for each of two levels of the x86-64 ABI. Each
// function adds in an order that depends only on its arguments, not on the length of the
// processor's vectors. So both versions compute the bits of trainer/eigen, which is the readable
// definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "trainer/engine/arithmetic.h"

namespace spottrain::cpu {

// Weights and sums of weight gradients are padded to a multiple of this many output channels.
inline constexpr int kPanel = 16;

// A contiguous run of inputs on which an output pixel depends.
struct Tap {
  std::ptrdiff_t input;   // offset of the first input from the pixel's own place, in floats
  std::ptrdiff_t weight;  // row of the packed weights for the first input
  int length;
};

// output[pixel][c] = bias[c] + Σ over taps and k:
//     input[pixel + tap.input + k] · weights[row + k][c]
// for rows × pixels pixels. The sum is in the order of the taps, then of k. Strides are in floats.
struct Product {
  const float* input;
  std::ptrdiff_t input_pixel, input_row;
  const Tap* taps;
  int tap_count;
  const float* weights;  // panels of kPanel channels, each with its rows in sequence
  std::ptrdiff_t panel_stride;
  const float* bias;  // kPanel × panels values, or null
  float* output;
  std::ptrdiff_t output_pixel, output_row;
  int rows, pixels, channels;
  bool accumulate;  // add to the output
  bool relu;        // then max(that, 0)
};

// sum[i][c] += Σ over rows and pixels: input[pixel + i] · gradient[pixel][c], row by row.
struct OuterSum {
  const float* input;
  std::ptrdiff_t input_pixel, input_row;
  const float* gradient;
  std::ptrdiff_t gradient_pixel, gradient_row;
  int rows, pixels;
  int inputs, channels;
  float* sum;
  std::ptrdiff_t sum_stride;  // channels in whole panels
};

// Sums over pixels, channel by channel: float[kSumLanes][channels]. A channel's sum is lanes (0 +
// 1) + (2 + 3).
using LaneSums = float*;

// Rows of pixels, each [pixels][channels]. Rows are a fixed number of floats apart.
struct Area {
  int rows, pixels, channels;
};
struct ConstRows {
  const float* first;
  std::ptrdiff_t next;
};
struct Rows {
  float* first;
  std::ptrdiff_t next;
  operator ConstRows() const { return {first, next}; }
};

// Dropout's random numbers: word e mod 4 of philox_block({e ÷ 4, counter…}, key) for element e.
struct DropoutMask {
  std::uint32_t counter[3], key[2];
  std::uint32_t threshold;  // a word below it drops its element
};

// Maxima over windows of size × size in one image. Pixels of a window outside the image do not
// count.
struct MaxPooling {
  float* input;  // its gradient, backwards: the output's gradient is added at each winner's place
  std::ptrdiff_t input_row;
  float* output;
  std::ptrdiff_t output_row;
  float* winners;  // per output value: index of the winning pixel in reading order, as a float
  int height, width, channels;  // of the input
  int output_height, output_width;
  int size, stride, padding;
};

struct Kernels {
  std::string_view name;  // "v3" or "v4"

  void (*product)(const Product&);
  void (*outer_sum)(const OuterSum&);

  // sums += Σ x.
  void (*sum)(Area, ConstRows x, LaneSums sums);
  // sums += Σ (x − shift), squares += Σ (x − shift)².
  void (*moments)(Area, ConstRows x, const float* shift, LaneSums sums, LaneSums squares);
  // y = scale·x + offset (+ addend), and max(that, 0) if relu; addend's rows may be null.
  void (*normalize)(Area, ConstRows x, const float* scale, const float* offset, ConstRows addend,
                    bool relu, Rows y);
  // If y's rows are not null: g = 0 where y ≤ 0. Then sums += Σ g, products += Σ g·(x − mean).
  void (*normalize_sums)(Area, ConstRows x, const float* mean, ConstRows y, Rows g, LaneSums sums,
                         LaneSums products);
  // dx = scale·(g − bias − (x − mean)·slope), or dx += that if accumulate.
  void (*normalize_gradient)(Area, ConstRows x, const float* mean, ConstRows g, const float* scale,
                             const float* bias, const float* slope, bool accumulate, Rows dx);

  // y = a + b, b may be null; max(that, 0) if relu.
  void (*add)(std::size_t count, const float* a, const float* b, bool relu, float* y);
  // g = 0 where y ≤ 0.
  void (*relu_mask)(std::size_t count, const float* y, float* g);
  // y = factor·x, or y += factor·x if accumulate. If kept is not null, only for the elements that
  // it keeps.
  void (*scale)(std::size_t count, const float* x, float factor, const std::uint8_t* kept,
                bool accumulate, float* y);
  // kept = 0 or 1 for elements first … first + count − 1; first is a multiple of 4.
  void (*dropout_mask)(const DropoutMask&, std::size_t first, std::size_t count,
                       std::uint8_t* kept);
  // sum[i] = part 0's i + part 1's i + …, of `count` values each, `stride` apart.
  void (*sum_parts)(const float* parts, std::ptrdiff_t stride, int count, std::size_t size,
                    float* sum);
  void (*max_pool)(const MaxPooling&);
  void (*max_pool_gradient)(const MaxPooling&);

  void (*sgd)(const OptimizerStep&);
  void (*nesterov)(const OptimizerStep&);
  void (*adam)(const OptimizerStep&);
  void (*adamw)(const OptimizerStep&);
};

}  // namespace spottrain::cpu
