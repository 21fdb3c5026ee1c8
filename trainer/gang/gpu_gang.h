// Data-parallel training on GPUs.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "trainer/engine/cuda_module.h"
#include "trainer/gang/communicator.h"

namespace spottrain {

// Makes one rank's engine, on the GPU with its local rank as index, modulo the number of GPUs. NCCL
// sums the gradients from GPU to GPU. If NCCL cannot, because a rank has none or two ranks share a
// GPU, `tell` gets the reason and the processes sum the gradients as in make_gang_engine(). Throws
// like CudaModule. Module and communicator must outlive the engine.
std::unique_ptr<Engine> make_gpu_gang_engine(CudaModule& module, const ModelDescription& model,
                                             EngineOptions options, Communicator& gang,
                                             const std::function<void(const std::string&)>& tell);

}  // namespace spottrain
