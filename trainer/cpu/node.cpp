#include "trainer/cpu/node.h"

#include <algorithm>

namespace spottrain::cpu {

bool Backward::claim(Activation& value) {
  if (value.gradient) return true;
  // A tensor that only this list refers to is free.
  const auto found = std::find_if(tensors_.begin(), tensors_.end(), [&](const auto& tensor) {
    return tensor.use_count() == 1 && tensor->layout() == value.gradient_layout;
  });
  if (found != tensors_.end()) {
    value.gradient = *found;
  } else {
    value.gradient = std::make_shared<Tensor>(value.gradient_layout, batch_);
    tensors_.push_back(value.gradient);
  }
  return false;
}

bool Backward::hand_over(const Activation& from, Activation& to) {
  if (to.gradient || !(from.gradient_layout == to.gradient_layout)) return false;
  to.gradient = from.gradient;
  return true;
}

void Backward::release(Activation& value) { value.gradient.reset(); }

void Backward::later(const Activation& value, std::function<void(Stages&)> add) {
  later_.push_back({stages.layer(), value.gradient, std::move(add)});
}

void Backward::flush() {
  const int layer = stages.layer();
  for (const Later& later : later_) {
    stages.of_layer(later.layer);
    later.add(stages);
  }
  later_.clear();
  stages.of_layer(layer);
}

Runs common_runs(std::initializer_list<const Layout*> layouts) {
  const Layout* longest_border =
      *std::max_element(layouts.begin(), layouts.end(),
                        [](const Layout* a, const Layout* b) { return a->runs() < b->runs(); });
  return {longest_border->runs(), longest_border->run_pixels(), longest_border->run_size()};
}

void pass_on_gradient(const Kernels& kernels, Backward& backward, const Activation& from,
                      Activation& to) {
  if (to.wants_gradient && !backward.hand_over(from, to)) {
    add_gradient(kernels, backward, from, to);
  }
}

void add_gradient(const Kernels& kernels, Backward& backward, const Activation& from,
                  Activation& to) {
  if (!to.wants_gradient) return;
  const bool accumulate = backward.claim(to);
  const Runs runs = common_runs({&from.gradient_layout, &to.gradient_layout});
  const Tensor *g = from.gradient.get(), *sum = to.gradient.get();
  backward.stages.over_images([=, &kernels](int image, const Pass&) {
    for (int run = 0; run < runs.count; ++run) {
      kernels.add(runs.size, g->row(image, run), accumulate ? sum->row(image, run) : nullptr, false,
                  sum->row(image, run));
    }
  });
}

}  // namespace spottrain::cpu
