// A training program as the fiber guest models it: what a scenario's `trainer` block states.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/kernel/time.h"
#include "sim/market/usd.h"

namespace sim::guest {

// When training goes on: when the checkpoint is durable, or when the state is copied, to be written
// meanwhile (docs/checkpoints.md).
enum class SaveMode { kSync, kAsync };

// A request takes the latency and its bytes at this speed.
struct ObjectStoreModel {
  std::int64_t bytes_per_second = 0;
  Duration latency{};
  market::Usd put_price{5'000}, get_price{400};  // S3 Standard's, us-west-2: $5 and $0.4 a million
};

struct TrainerModel {
  std::int64_t steps = 0;            // of the whole job
  std::int64_t steps_per_epoch = 1;  // the last epoch may be shorter
  std::string policy = "epoch,on-notice";
  std::int64_t checkpoint_bytes = 0;
  std::int64_t data_bytes = 0;  // written by the job's prepare.command, read at the trainer's start
  SaveMode save_mode = SaveMode::kSync;
  Duration snapshot_time{};                      // of copying the state, in mode async
  std::optional<ObjectStoreModel> object_store;  // gets the checkpoints; empty: the job's volume
};

}  // namespace sim::guest
