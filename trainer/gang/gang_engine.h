// Data-parallel training: an engine that is one rank of a gang.
#pragma once

#include <memory>

#include "trainer/engine/engine.h"
#include "trainer/gang/communicator.h"

namespace spottrain {

// All ranks get the same batches, and each computes its share with `local`. Gradients are summed
// over the ranks, and then all ranks take the same step. As in PyTorch's DistributedDataParallel, a
// batch norm in training sees only its rank's images, and rank 0's running means are the model's.
// Give each rank another seed, so that dropout differs. The communicator must outlive the engine.
std::unique_ptr<Engine> make_gang_engine(std::unique_ptr<Engine> local,
                                         const ModelDescription& model, Communicator& gang);

}  // namespace spottrain
