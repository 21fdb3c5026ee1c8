#include "trainer/cuda/node.h"

namespace spottrain::cuda {

bool Gradients::claim(Activation& value) {
  if (value.gradient) return true;
  const std::size_t bytes = images_ * value.shape.size() * size_of(element_);
  Owned* best = nullptr;
  for (Owned& owned : owned_) {
    const bool is_free = owned.memory.use_count() == 1;
    if (is_free && owned.bytes >= bytes && (!best || owned.bytes < best->bytes)) best = &owned;
  }
  if (!best) best = &owned_.emplace_back(Owned{std::make_shared<Memory>(bytes), bytes});
  value.gradient = best->memory;
  return false;
}

bool Gradients::hand_over(Activation& from, Activation& to) {
  if (to.gradient || !from.gradient) return false;
  to.gradient = std::move(from.gradient);
  return true;
}

void PassOn::plan(Gradients& gradients, const void* gradient, Activation& from, Activation& to) {
  if (!to.wants_gradient || gradients.hand_over(from, to)) return;
  accumulate_ = gradients.claim(to);
  size_ = from.size();
  from_ = gradient;
  to_ = to.gradient->data();
}

void PassOn::enqueue(const Context& context, unsigned images) const {
  if (to_ == nullptr) return;
  add(context.launch(), images * size_, from_, accumulate_ ? to_ : nullptr, false, to_);
}

void InputGradient::plan(Gradients& gradients, Activation& output, Activation& input,
                         bool in_place) {
  if (!input.wants_gradient) return;
  if (!in_place || !gradients.hand_over(output, input)) accumulate = gradients.claim(input);
  data = input.gradient->data();
}

}  // namespace spottrain::cuda
