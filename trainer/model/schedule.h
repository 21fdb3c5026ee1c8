// How the learning rate changes from step to step.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spottrain {

// The position of a step in a training.
struct ScheduleMoment {
  std::int64_t step = 0;  // 0 is the first
  std::int64_t steps_per_epoch = 1;
  std::int64_t total_steps = 1;
};

// A function from a moment to the share of the full rate.
using RateCurve = std::function<double(const ScheduleMoment&)>;

struct ScheduleKind {
  std::string_view name, arguments, meaning;
  bool needs_length;  // the curve depends on total_steps
  // Makes the curve. Throws std::invalid_argument with the expected arguments.
  RateCurve (*make)(std::span<const double> arguments);
};

// All kinds of schedules: "constant", "step", "multi-step", "cosine", "one-cycle".
std::span<const ScheduleKind> schedule_kinds();

// A kind with its arguments, such as "step:30:0.1". With "warm-up:E," before it, the rate rises
// linearly in the first E epochs: in n steps of warm-up, step i has (i + 1) ÷ n of its rate (Goyal
// et al., "Accurate, large minibatch SGD", 2017, section 2.2; PyTorch's LinearLR from 1 ÷ n). If
// the curve that follows depends on the training's length, it counts its steps from the end of the
// warm-up (as PyTorch's SequentialLR does). Otherwise it counts from the first step.
class Schedule {
 public:
  // Parses a schedule. Throws std::invalid_argument with the value found and the known kinds.
  explicit Schedule(std::string_view text);

  // The rate of a step, relative to `full_rate`. Steps after the end have the last step's rate.
  double rate(double full_rate, ScheduleMoment moment) const;
  const std::string& text() const { return text_; }
  // True if the rate of a step depends on the training's length.
  bool needs_length() const { return needs_length_; }
  double warm_up_epochs() const { return warm_up_epochs_; }  // 0: none

 private:
  std::string text_;
  double warm_up_epochs_ = 0;
  bool needs_length_ = false;
  RateCurve curve_;
};

}  // namespace spottrain
