// One step of an optimizer on all trained parameters; the formulas are in trainer/engine/engine.h,
// and the operations are fused as on the CPU.
#include <cmath>

#include "trainer/cuda/kernels/kernel_language.h"
#include "trainer/cuda/kernels/kernels.h"

namespace spottrain::cuda {
namespace {

struct Settings {
  Optimizer::Kind kind;
  float momentum, weight_decay, beta1, beta2, epsilon;
};

__device__ inline float momentum_step(const Settings& s, const StepParameters& step, float w,
                                      float g, float& velocity) {
  g = fmaf(w, s.weight_decay, g);
  velocity = fmaf(s.momentum, velocity, g);
  const float direction =
      s.kind == Optimizer::Kind::nesterov ? fmaf(s.momentum, velocity, g) : velocity;
  return fmaf(-step.learning_rate, direction, w);
}

__device__ inline float adam_step(const Settings& s, const StepParameters& step, float w, float g,
                                  float& m, float& v) {
  if (s.kind == Optimizer::Kind::adamw) {
    w *= 1.0f - step.learning_rate * s.weight_decay;
  } else {
    g = fmaf(w, s.weight_decay, g);
  }
  m = fmaf(s.beta1, m, (1.0f - s.beta1) * g);
  v = fmaf(s.beta2, v, (1.0f - s.beta2) * (g * g));
  return fmaf(-step.step_size, m / (sqrtf(v) / step.root_correction2 + s.epsilon), w);
}

__global__ void optimizer_kernel(Settings settings, OptimizerState state,
                                 const StepParameters* step) {
  const unsigned i = own_index();
  if (i >= state.count) return;
  float w = state.weights[i];
  if (state.moment2 == nullptr) {
    w = momentum_step(settings, *step, w, state.gradient[i], state.moment1[i]);
  } else {
    w = adam_step(settings, *step, w, state.gradient[i], state.moment1[i], state.moment2[i]);
  }
  state.weights[i] = w;
  if (state.rounded != nullptr) store_float(state.rounded[i], w);
}

}  // namespace

void optimizer_step(CUstream_st* stream, const Optimizer& optimizer, const OptimizerState& state,
                    const StepParameters* step) {
  const Settings settings{optimizer.kind,
                          static_cast<float>(optimizer.momentum),
                          static_cast<float>(optimizer.weight_decay),
                          static_cast<float>(optimizer.beta1),
                          static_cast<float>(optimizer.beta2),
                          static_cast<float>(optimizer.epsilon)};
  launch(stream, grid_of(state.count), optimizer_kernel, settings, state, step);
}

}  // namespace spottrain::cuda
