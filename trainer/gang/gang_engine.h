// Data-parallel training: an engine that is one rank's part of a gang's.
#pragma once

#include <memory>

#include "trainer/engine/engine.h"
#include "trainer/gang/communicator.h"

namespace spottrain {

// Every rank is given the same batches and computes its share of each with `local`; gradients are
// summed over the ranks, then every rank takes the same step. As in PyTorch's
// DistributedDataParallel, a batch norm sees its rank's images only while training, and rank 0's
// running means are the model's. Dropout's numbers should differ: give each rank another seed.
// The communicator outlives the engine.
std::unique_ptr<Engine> make_gang_engine(std::unique_ptr<Engine> local,
                                         const ModelDescription& model, Communicator& gang);

}  // namespace spottrain
