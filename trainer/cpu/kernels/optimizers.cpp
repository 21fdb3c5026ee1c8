// One step of an optimizer on all trained parameters; the formulas are in trainer/engine/engine.h.
#include "trainer/cpu/kernels/set.h"
#include "trainer/cpu/kernels/vec.h"

namespace spottrain::cpu::SPOTTRAIN_ISA {
namespace {

template <bool Nesterov>
void momentum_step(const OptimizerStep& s) {
  const Vec decay = broadcast(s.weight_decay), momentum = broadcast(s.momentum);
  const Vec minus_rate = broadcast(-s.learning_rate);
  for_each_span(static_cast<std::ptrdiff_t>(s.count), [&](auto span) {
    const Vec w = span.load_from(s.weights);
    const Vec g = fmadd(w, decay, span.load_from(s.gradient));
    const Vec velocity = fmadd(momentum, span.load_from(s.moment1), g);
    span.store_to(s.moment1, velocity);
    const Vec direction = Nesterov ? fmadd(momentum, velocity, g) : velocity;
    span.store_to(s.weights, fmadd(minus_rate, direction, w));
  });
}

template <bool Decoupled>
void adam_step(const OptimizerStep& s) {
  const Vec decay = broadcast(s.weight_decay);
  const Vec keep = broadcast(1.0f - s.learning_rate * s.weight_decay);
  const Vec beta1 = broadcast(s.beta1), beta2 = broadcast(s.beta2);
  const Vec rest1 = broadcast(1.0f - s.beta1), rest2 = broadcast(1.0f - s.beta2);
  const Vec root = broadcast(s.root_correction2), epsilon = broadcast(s.epsilon);
  const Vec minus_step = broadcast(-s.step_size);
  for_each_span(static_cast<std::ptrdiff_t>(s.count), [&](auto span) {
    Vec w = span.load_from(s.weights), g = span.load_from(s.gradient);
    if (Decoupled) {
      w *= keep;
    } else {
      g = fmadd(w, decay, g);
    }
    const Vec m = fmadd(beta1, span.load_from(s.moment1), rest1 * g);
    const Vec v = fmadd(beta2, span.load_from(s.moment2), rest2 * (g * g));
    span.store_to(s.moment1, m);
    span.store_to(s.moment2, v);
    span.store_to(s.weights, fmadd(minus_step, m / (square_root(v) / root + epsilon), w));
  });
}

}  // namespace

void sgd(const OptimizerStep& s) { momentum_step<false>(s); }
void nesterov(const OptimizerStep& s) { momentum_step<true>(s); }
void adam(const OptimizerStep& s) { adam_step<false>(s); }
void adamw(const OptimizerStep& s) { adam_step<true>(s); }

}  // namespace spottrain::cpu::SPOTTRAIN_ISA
