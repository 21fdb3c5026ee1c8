// The engine's own kernels: everything except convolutions and products of matrices. Each function
// enqueues to the stream in its Launch. Activations are NHWC with the Launch's element type.
// Parameters, statistics and their gradients are float32. Sums have a fixed order, so every run
// computes the same result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trainer/cuda/kernels/element.h"
#include "trainer/engine/engine.h"

struct CUstream_st;

namespace spottrain::cuda {

struct Launch {
  CUstream_st* stream;
  Element element;
};

// An activation as a matrix with one row of channels per pixel.
struct Rows {
  unsigned rows, channels;
  unsigned size() const { return rows * channels; }
};

// The values that change from step to step. They are in the device's memory, so one graph serves
// every step.
struct StepParameters {
  std::uint64_t index = 0;
  float learning_rate = 0;
  float step_size = 0;         // Adam's: learning rate ÷ (1 − beta1^(index + 1))
  float root_correction2 = 1;  // √(1 − beta2^(index + 1))
};

// ---- elementwise.cu

void convert(const Launch&, unsigned count, const float* from, void* to);
void widen(CUstream_st*, unsigned count, const Bf16* from, float* to);
// y = a + b, then ReLU if asked; b may be null, y may be a or b.
void add(const Launch&, unsigned count, const void* a, const void* b, bool relu, void* y);
// g = 0 where y is not positive.
void relu_gradient(const Launch&, unsigned count, const void* y, void* g);
// y += bias, then ReLU if asked.
void add_bias(const Launch&, Rows rows, const float* bias, bool relu, void* y);

struct DropoutKey {
  std::uint64_t seed = 0;
  std::uint32_t purpose = 0;    // purpose and number of the layer
  std::uint32_t threshold = 0;  // a random number below it drops the value
  float factor = 1;             // for kept values
};
// y = factor · (kept values of x), added to y if accumulate. The function is its own gradient.
// Element e of image i is dropped by word e mod 4 of the Philox block with counter (i·⌈size ÷ 4⌉ +
// e ÷ 4, step, purpose), keyed by the seed.
void dropout(const Launch&, const DropoutKey& key, const StepParameters* step, unsigned images,
             unsigned size, const void* x, void* y, bool accumulate);

struct Subsampling {
  unsigned images, height, width, channels;  // of the input
  unsigned out_height, out_width, out_channels, stride;
};
void subsample_pad(const Launch&, const Subsampling& shape, const void* x, void* y);
void subsample_pad_gradient(const Launch&, const Subsampling& shape, const void* g, void* dx,
                            bool accumulate);

// ---- pooling.cu

struct Pooling {
  unsigned images, height, width, channels, out_height, out_width;
  int size, stride, padding;
};
// `winners` has for each output the number of its window's maximum, row·size + column. Of equal
// maxima the first counts.
void max_pool(const Launch&, const Pooling& shape, const void* x, void* y, std::uint16_t* winners);
void max_pool_gradient(const Launch&, const Pooling& shape, const void* g,
                       const std::uint16_t* winners, void* dx, bool accumulate);
void average(const Launch&, unsigned images, Rows image, const void* x, void* y);
void average_gradient(const Launch&, unsigned images, Rows image, const void* g, void* dx,
                      bool accumulate);

// ---- normalization.cu

// The number of floats that sums over rows need as scratch, for any number of rows.
std::size_t partial_sums(unsigned channels);

// The values of a batch norm for each channel: y = factor·x + offset.
struct Channels {
  float *mean, *inverse_deviation, *factor, *offset;
};
struct BatchNormState {
  const float *scale, *shift;
  float *running_mean, *running_variance;
  float epsilon, momentum;
};
// Computes the statistics of the batch, and moves the running values.
void batch_statistics(const Launch&, Rows rows, const void* x, const BatchNormState& state,
                      const Channels& channels, float* partial);
void running_statistics(const Launch&, unsigned channels, const BatchNormState& state,
                        const Channels& values);
// y = relu(factor·x + offset + addend); addend may be null.
void normalize(const Launch&, Rows rows, const Channels& channels, const void* x,
               const void* addend, bool relu, void* y);
// With y: g = 0 where y is not positive. Sets the gradients of scale and shift, and the factors for
// normalize_gradient.
struct NormGradients {
  float *scale, *shift;     // of the loss
  float *constant, *slope;  // mean(g), and mean(g·(x − mean)) ÷ variance
};
void normalize_sums(const Launch&, Rows rows, const Channels& channels, const void* x,
                    const void* y, void* g, const NormGradients& gradients, float* partial);
// dx = factor·(g − constant − slope·(x − mean)); added to dx if accumulate; dx may be g.
void normalize_gradient(const Launch&, Rows rows, const Channels& channels,
                        const NormGradients& gradients, const void* x, const void* g, void* dx,
                        bool accumulate);
// With y: g = 0 where y is not positive. gradient = Σ g over rows.
void bias_gradient(const Launch&, Rows rows, const void* y, void* g, float* gradient,
                   float* partial);

// ---- loss.cu

struct LossSums {
  double loss = 0;
  std::int64_t correct = 0;
};
struct ImageLoss {
  double loss = 0;
  int correct = 0;
};
// The gradient of the logits: (softmax − one at the label) ÷ of. Not computed if data is null.
struct LogitsGradient {
  void* data;
  unsigned of;
};
// Softmax and cross-entropy in double precision.
void softmax_loss(const Launch&, unsigned images, unsigned classes, const void* logits,
                  const int* labels, ImageLoss* losses, const LogitsGradient& gradient);
void sum_losses(const Launch&, unsigned images, const ImageLoss* losses, LossSums* sums);

// ---- optimizer.cu

struct OptimizerState {
  float *weights, *gradient, *moment1, *moment2;  // moment2 may be null
  Bf16* rounded;                                  // the weights in bfloat16; null: not needed
  unsigned count;
};
void optimizer_step(CUstream_st*, const Optimizer& optimizer, const OptimizerState& state,
                    const StepParameters* step);

}  // namespace spottrain::cuda
