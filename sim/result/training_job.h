// SageMaker's training jobs, for results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sim::result {

// How a SageMaker training job ended. Seconds are those of one host.
struct TrainingJobEnd {
  std::string name, status, secondary_status, model, failure_reason;
  std::int64_t hosts = 1, interruptions = 0;
  double training_seconds = 0, billable_seconds = 0;

  // The savings that DescribeTrainingJob's whole seconds imply. Empty if the job did not train.
  std::optional<double> savings() const;
};

}  // namespace sim::result
