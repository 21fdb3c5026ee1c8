// A training program as the fiber guest models it: what a scenario's `trainer` block states.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Where checkpoints are kept: in the instance's memory, on the job's volume, in an EBS snapshot of
// that volume, in an object store.
enum class TierKind { kMemory, kVolume, kSnapshot, kObjectStore };
// As scenarios write it: "object-store".
std::string_view name(TierKind kind);

// One of a trainer's places for checkpoints, saved to when its own policy says so.
struct CheckpointTier {
  TierKind to = TierKind::kVolume;
  std::string policy;                  // empty: the trainer's
  ObjectStoreModel object_store = {};  // where it goes to one
  bool outlives_instance() const { return to != TierKind::kMemory; }
};

struct TrainerModel {
  std::int64_t steps = 0;            // of the whole job
  std::int64_t steps_per_epoch = 1;  // the last epoch may be shorter
  std::string policy = "epoch,on-notice";
  std::int64_t checkpoint_bytes = 0;
  std::optional<std::int64_t> incremental_bytes;  // empty: there are only full ones
  std::int64_t data_bytes = 0;  // written by the job's prepare.command, read at the trainer's start
  SaveMode save_mode = SaveMode::kSync;
  Duration snapshot_time{};  // of copying the state in memory
  // At least one outlives the instance, and no two are of a kind.
  std::vector<CheckpointTier> tiers{CheckpointTier{}};
  std::optional<Duration> step_time;    // of a training job that names none; empty: it must
  std::optional<Duration> crash_every;  // mean time until its process crashes; empty: it does not

  const std::string& policy_of(const CheckpointTier& tier) const {
    return tier.policy.empty() ? policy : tier.policy;
  }
};

// Of so much of the state, in memory.
Duration copy_time(const TrainerModel& model, std::int64_t bytes);

}  // namespace sim::guest
