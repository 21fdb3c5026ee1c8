// One process's part of a training: steps, saves, and the end.
#pragma once

#include <stdexcept>

#include "trainer/loop/train.h"

namespace spottrain {

// The loss or the state is not finite, so nothing can be continued.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Runs a training in a single process (`gang` is null), or in the first process of a gang. Throws
// Diverged, and the exceptions of reading data, of storages and of policies.
ExitCode run_training(const TrainRequest& request, Communicator* gang);

}  // namespace spottrain
