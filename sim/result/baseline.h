// The baseline: the cost of the same job on demand, without interruptions. Savings are relative to
// it.
#pragma once

#include <optional>
#include <string>

#include "sim/result/result.h"
#include "sim/result/training.h"

namespace sim::result {

struct BaselineCost {
  std::optional<Usd> known{};
  std::optional<Usd> without_checkpoints{};  // the baseline if the job saved nothing
  std::optional<double> savings{};           // of training jobs: the savings that SageMaker reports
  std::string unknown{};                     // the reason if there is no baseline, else empty
};

// Computes the baseline with the formula in docs/result.md, "baseline". There is none if the
// scenario does not name a baseline type, if the time of a step is neither stated nor observed, or
// if nothing was trained.
BaselineCost baseline_cost(const History& history, const Result& result,
                           const std::vector<InstanceTime>& times);

}  // namespace sim::result
