// The same job on demand and uninterrupted: what savings refer to.
#pragma once

#include <optional>
#include <string>

#include "sim/result/result.h"
#include "sim/result/training.h"

namespace sim::run {

struct BaselineCost {
  std::optional<Usd> known{};
  std::optional<Usd> without_checkpoints{};  // what it would be if nothing were saved
  std::optional<double> savings{};           // of training jobs: as SageMaker tells them
  std::string unknown{};                     // why there is none; empty where there is one
};

// docs/result.md, "baseline", has the formula. None when the scenario names no baseline, its step
// time is neither stated nor seen, or nothing was trained.
BaselineCost baseline_cost(const History& history, const Result& result,
                           const std::vector<InstanceTime>& times);

}  // namespace sim::run
