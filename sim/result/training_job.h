// Training jobs of SageMaker's, as a result has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sim::run {

// How a training job of SageMaker's ended; seconds are of one host.
struct TrainingJobEnd {
  std::string name, status, secondary_status, model, failure_reason;
  std::int64_t hosts = 1, interruptions = 0;
  double training_seconds = 0, billable_seconds = 0;

  // What DescribeTrainingJob's whole seconds say of managed spot; empty: it did not train.
  std::optional<double> savings() const;
};

}  // namespace sim::run
