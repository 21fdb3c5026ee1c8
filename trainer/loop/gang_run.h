// A training by several processes. Rank 0 runs it like a single process and writes all files. The
// other ranks follow it step by step.
#pragma once

#include "trainer/gang/communicator.h"
#include "trainer/loop/train.h"
#include "trainer/loop/trainer.h"

namespace spottrain {

// Copies rank 0's state to every rank. Throws std::invalid_argument on a rank whose options, model
// or data differ from rank 0's.
void share_state(Trainer& trainer, Communicator& gang);

// The work of the ranks after 0, until rank 0 has finished or all stop.
ExitCode follow(const TrainRequest& request, Communicator& gang);

}  // namespace spottrain
