// The model of a training program for fiber guests, from a scenario's `trainer` block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/usd.h"

namespace sim::guest {

// When training continues: after the checkpoint is durable, or after the state is copied, which is
// then written in parallel (docs/checkpoints.md).
enum class SaveMode { kSync, kAsync };

// A request takes the latency, and its bytes at this speed.
struct ObjectStoreModel {
  std::int64_t bytes_per_second = 0;
  Duration latency{};
  market::Usd put_price{5'000}, get_price{400};  // S3 Standard's, us-west-2: $5 and $0.4 a million
};

// The places of checkpoints: the instance's memory, the job's volume, an EBS snapshot of that
// volume, an object store.
enum class TierKind { kMemory, kVolume, kSnapshot, kObjectStore };
// The name in scenarios: "object-store".
std::string_view name(TierKind kind);

// One of a trainer's places for checkpoints, with its own policy.
struct CheckpointTier {
  TierKind to = TierKind::kVolume;
  std::string policy;                  // empty: the trainer's policy
  ObjectStoreModel object_store = {};  // for kObjectStore
  bool outlives_instance() const { return to != TierKind::kMemory; }
};

struct TrainerModel {
  std::int64_t steps = 0;            // of the whole job
  std::int64_t steps_per_epoch = 1;  // the last epoch may be shorter
  std::string policy = "epoch,on-notice";
  std::int64_t checkpoint_bytes = 0;
  std::optional<std::int64_t> incremental_bytes;  // empty: only full checkpoints
  std::int64_t data_bytes = 0;  // written by the job's prepare.command, read at the trainer's start
  SaveMode save_mode = SaveMode::kSync;
  Duration snapshot_time{};  // time to copy the state in memory
  // At least one place outlives the instance, and all are of different kinds.
  std::vector<CheckpointTier> tiers{CheckpointTier{}};
  std::optional<Duration> step_time;    // for training jobs without one; empty: they must state it
  std::optional<Duration> crash_every;  // mean time between crashes; empty: none

  const std::string& policy_of(const CheckpointTier& tier) const {
    return tier.policy.empty() ? policy : tier.policy;
  }
};

// The time to copy this many bytes of the state in memory.
Duration copy_time(const TrainerModel& model, std::int64_t bytes);

}  // namespace sim::guest
