// The secondary statuses of a training job and the allowed transitions.
#pragma once

#include <span>
#include <string_view>

namespace sim::sagemaker {

// An allowed transition. SageMaker's API reference (SecondaryStatusTransition) lists the statuses
// and their meaning, but not the transitions. These are the steps of a modelled attempt, and its
// possible interruptions.
struct Step {
  std::string_view from, to;  // `from` is empty at creation
};
std::span<const Step> steps();
bool allowed(std::string_view from, std::string_view to);

}  // namespace sim::sagemaker
