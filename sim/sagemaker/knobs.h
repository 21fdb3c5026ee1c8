// The scenario's settings of managed training.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "sim/kernel/time.h"

namespace sim::sagemaker {

// A host's transfers from and to buckets.
struct TransferKnobs {
  std::int64_t bytes_per_second = 500'000'000;
  // Until the first byte: S3's "roughly 100–200 milliseconds" for small objects (S3 user guide,
  // "Best practices design patterns: optimizing Amazon S3 performance").
  Duration request = std::chrono::milliseconds{100};
  // An assumption, because AWS documents no number: max_concurrent_requests of aws-cli and boto3.
  int requests_at_once = 10;
};

struct Knobs {
  std::optional<double> price_factor =
      {};  // of EC2's price; empty: each type's (market/ml_prices.h)
  Duration image_download = std::chrono::seconds{60};
  Duration checkpoint_sync = std::chrono::seconds{10};  // interval of looks, an assumption
  TransferKnobs transfer;
  Duration stop_grace = std::chrono::seconds{120};  // SIGTERM → SIGKILL (StopTrainingJob)
};

}  // namespace sim::sagemaker
