// A training by several processes: rank 0 runs it as if alone and writes all files; the others
// follow it step by step.
#pragma once

#include "trainer/gang/communicator.h"
#include "trainer/loop/train.h"
#include "trainer/loop/trainer.h"

namespace spottrain {

// Every rank continues from rank 0's state. Throws std::invalid_argument on a rank whose options,
// model or data differ from rank 0's.
void share_state(Trainer& trainer, Communicator& gang);

// What the ranks after 0 do, until rank 0 has finished or all stop.
ExitCode follow(const TrainRequest& request, Communicator& gang);

}  // namespace spottrain
