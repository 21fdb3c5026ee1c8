#include "policies/checkpoint/interruption_time.h"

#include <stdexcept>

#include "base/time/duration.h"
#include "policies/checkpoint/argument.h"
#include "policies/checkpoint/seconds.h"

namespace policies {
namespace {

constexpr double kShortest = 1;  // second: no instance is replaced faster

double sum(std::span<const Duration> lives) {
  double seconds = 0;
  for (const Duration life : lives) seconds += seconds_of(life);
  return seconds;
}

double age(const CheckpointState& state) {
  return std::max(kShortest, seconds_of(*state.since_launch));
}

double trailing_mean(const CheckpointState& state, std::size_t count) {
  const auto lives = *state.lives;
  if (lives.empty()) return age(state);
  const auto last = lives.last(std::min(count, lives.size()));
  return std::max(kShortest, sum(last) / static_cast<double>(last.size()));
}

double moving_average(const CheckpointState& state, double weight) {
  const auto lives = *state.lives;
  if (lives.empty()) return age(state);
  double mean = seconds_of(lives.front());
  for (const Duration life : lives.subspan(1)) {
    mean = weight * seconds_of(life) + (1 - weight) * mean;
  }
  return std::max(kShortest, mean);
}

double posterior(const CheckpointState& state, Duration prior) {
  const double lived = sum(*state.lives) + age(state);
  return (seconds_of(prior) + lived) / (1 + static_cast<double>(state.lives->size()));
}

}  // namespace

InterruptionTime read_interruption_time(std::string_view text) {
  if (const auto told = base::parse_positive_duration(text)) {
    return {[M = seconds_of(*told)](const CheckpointState&) { return M; }, {}};
  }
  const auto colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string_view argument =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  const std::vector<Input> needs{Input::lives, Input::since_launch};
  if (kind == "mean") {
    const auto count = colon == std::string_view::npos
                           ? std::size_t{1} << 31
                           : static_cast<std::size_t>(read_count(argument, "a number of lives"));
    return {[count](const CheckpointState& state) { return trailing_mean(state, count); }, needs};
  }
  if (kind == "ewma") {
    return {[weight = read_share(argument)](const CheckpointState& state) {
              return moving_average(state, weight);
            },
            needs};
  }
  if (kind == "prior") {
    return {[prior = read_duration(argument)](const CheckpointState& state) {
              return posterior(state, prior);
            },
            needs};
  }
  throw std::invalid_argument(
      "expected the mean time between interruptions, such as 6h, or how to estimate it: mean, "
      "mean:N, ewma:A or prior:T");
}

}  // namespace policies
