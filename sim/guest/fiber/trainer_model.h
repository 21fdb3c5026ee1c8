// A training program as the fiber guest models it: what a scenario's `trainer` block states.
#pragma once

#include <cstdint>
#include <string>

namespace sim::guest {

struct TrainerModel {
  std::int64_t steps = 0;            // of the whole job
  std::int64_t steps_per_epoch = 1;  // the last epoch may be shorter
  std::string policy = "epoch,on-notice";
  std::int64_t checkpoint_bytes = 0;
  std::int64_t data_bytes = 0;  // written by the job's prepare.command, read at the trainer's start
};

}  // namespace sim::guest
