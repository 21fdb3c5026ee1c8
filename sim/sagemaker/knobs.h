// What a scenario says of managed training.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "sim/kernel/time.h"

namespace sim::sagemaker {

struct Knobs {
  std::optional<double> price_factor =
      {};  // of EC2's price; empty: each type's (market/ml_prices.h)
  Duration image_download = std::chrono::seconds{60};
  Duration checkpoint_sync = std::chrono::seconds{10};  // between two looks; AWS does not say
  std::int64_t bytes_per_second = 500'000'000;          // of a host, from and to buckets
  Duration stop_grace = std::chrono::seconds{120};      // SIGTERM → SIGKILL (StopTrainingJob)
};

}  // namespace sim::sagemaker
