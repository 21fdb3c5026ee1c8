// One process's part of a training: steps, saves, and the end.
#pragma once

#include <stdexcept>

#include "trainer/loop/train.h"

namespace spottrain {

// What was computed is no number: nothing that could be continued.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A process alone (null), or the first of its gang. Throws Diverged, and what reading data, places
// and policies throws.
ExitCode run_training(const TrainRequest& request, Communicator* gang);

}  // namespace spottrain
