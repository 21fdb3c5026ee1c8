#include "trainer/cuda/pass.h"

#include <cmath>

namespace spottrain::cuda {

void Programs::run(Program program, Share share, const Stream& stream,
                   const std::function<void()>& enqueue) {
  Repeated& repeated = programs_[{program, share}];
  if (!repeated.ran) {
    enqueue();
    repeated.ran = true;
    return;
  }
  if (!repeated.graph) repeated.graph.emplace(stream, enqueue);
  repeated.graph->launch(stream);
}

StepParameters parameters_of(const Step& step, const Optimizer& optimizer) {
  const auto steps = static_cast<double>(step.index + 1);
  const double correction1 = 1 - std::pow(optimizer.beta1, steps);
  const double correction2 = 1 - std::pow(optimizer.beta2, steps);
  return {static_cast<std::uint64_t>(step.index), static_cast<float>(step.learning_rate),
          static_cast<float>(step.learning_rate / correction1),
          static_cast<float>(std::sqrt(correction2))};
}

}  // namespace spottrain::cuda
