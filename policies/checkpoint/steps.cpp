#include <charconv>
#include <stdexcept>

#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_steps_policy(std::string_view argument) {
  std::int64_t every = 0;
  const char* end = argument.data() + argument.size();
  const auto [stop, error] = std::from_chars(argument.data(), end, every);
  if (error != std::errc() || stop != end || every < 1) {
    throw std::invalid_argument("expected a whole number of steps, at least 1");
  }
  // Multiples of K rather than K steps since the last one: the checkpointed steps are then the same
  // however often the training was interrupted.
  return [every](const CheckpointState& state) { return state.step % every == 0; };
}

}  // namespace policies
