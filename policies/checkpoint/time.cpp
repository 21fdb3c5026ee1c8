#include "policies/checkpoint/argument.h"
#include "policies/checkpoint/policy.h"

namespace policies {

CheckpointPolicy make_time_policy(std::string_view argument) {
  return {[interval = read_duration(argument)](const CheckpointState& state) {
    return full_if(state.now - state.last_checkpoint_time >= interval);
  }};
}

}  // namespace policies
