// Arithmetic that the engines on processors share, because they must all compute the same bits.
#pragma once

#include <cstddef>

namespace spottrain {

struct Optimizer;
struct Step;

// The number of accumulators of a sum over pixels: pixel p of a run goes to accumulator p mod 4.
// The result is (0 + 1) + (2 + 3), in double precision.
inline constexpr int kSumLanes = 4;

// A dense layer's longer product is a sum of parts with this length.
inline constexpr int kLongestProduct = 512;

// The gradient of a matrix of weights is a sum over chunks of images. The matrix is rows × channels
// (of a convolution without its last extent). Each chunk is summed in order, and the chunks are
// added in order. Chunk i of n has the images from ⌊images·i ÷ n⌋ to below ⌊images·(i + 1) ÷ n⌋. n
// is the smaller of this constant and the number of images.
inline constexpr int kMostChunks = 16;
int most_chunks(int rows, int channels);

// One step of an optimizer on all trained parameters; the formulas are in engine.h.
struct OptimizerStep {
  float* weights;
  const float* gradient;
  float *moment1, *moment2;
  std::size_t count;
  float learning_rate, momentum, weight_decay;
  // Values of Adam: ε, and the corrections of its moments' bias.
  float beta1, beta2, epsilon, step_size, root_correction2;

  // The step for `count` of the parameters, beginning with number `first`.
  OptimizerStep part(std::size_t first, std::size_t count) const;
};

// Makes the step without its vectors, which the caller sets.
OptimizerStep optimizer_step(const Optimizer& optimizer, const Step& step);

}  // namespace spottrain
