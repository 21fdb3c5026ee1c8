// The facts that checkpoint policies may use.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace policies {

using Duration = std::chrono::nanoseconds;

// Filled in after every finished step. Empty values are unknown, or not known yet.
struct CheckpointState {
  std::int64_t step = 0;             // finished steps; 1 after the first
  std::int64_t steps_per_epoch = 1;  // the step that ends epoch e is e × steps_per_epoch
  Duration now{};                    // since 1970, UTC, on a clock that never goes back
  // The last checkpoint that was taken and has not failed, and when training went on after it; what
  // training began with when there is none yet.
  std::int64_t last_checkpoint_step = 0;
  Duration last_checkpoint_time{};
  bool persisting = false;  // that checkpoint is not durable yet
  bool notice = false;      // the program must stop after this step
  bool rebalance = false;   // a rebalance recommendation came
  bool hop = false;         // the job moves to another instance after this step, by its own will

  std::optional<Duration> step_time;        // of computing one step
  std::optional<Duration> checkpoint_cost;  // how long training stands still for a checkpoint
  std::optional<Duration> persist_time;     // from a checkpoint's beginning until it is durable
  std::optional<std::uint64_t> checkpoint_bytes;  // of a full one
  std::optional<double> write_speed;              // to where it goes, bytes a second
  std::optional<Duration> restart_cost;           // from an interruption to the first new step
  std::optional<Duration> remaining_work;         // computing left to the training's end
  std::optional<Duration> since_launch;           // of the instance
  std::optional<Duration> time_left;              // until the end that a notice stated
  // The lives of earlier instances until their interruption, the oldest first.
  std::optional<std::span<const Duration>> lives;
  std::optional<double> price, bid;  // of the instance's spot pool, in USD an hour
  // For the oracle only. `next_interruption` is the time until the next interruption, or until the
  // end of its notice. `next_save` is the time until a checkpoint that began now would be durable.
  std::optional<Duration> next_interruption, next_save;
};

// The fields that may be missing and that a policy may be unable to do without.
enum class Input {
  step_time,
  checkpoint_cost,
  persist_time,
  checkpoint_bytes,
  write_speed,
  restart_cost,
  remaining_work,
  since_launch,
  time_left,
  lives,
  price,
  bid,
  next_interruption,
};
inline constexpr int kInputs = 13;

bool is_known(const CheckpointState& state, Input input);

// In words, as in "the spot price".
std::string_view description(Input input);

}  // namespace policies
