#include "trainer/engine/engine.h"

#include <algorithm>
#include <stdexcept>

namespace spottrain {

void Engine::snapshot(std::span<float> values) const {
  auto to = std::ranges::copy(state(), values.begin()).out;
  for (int which = 0; to != values.end(); ++which) to = std::ranges::copy(moment(which), to).out;
}

void Engine::submit(const Batch& batch, const Step& step) {
  submitted_.push_back(train(batch, step));
}

Loss Engine::finish() {
  if (submitted_.empty()) throw std::logic_error("no step is under way");
  const Loss loss = submitted_.front();
  submitted_.pop_front();
  return loss;
}

}  // namespace spottrain
