// The engine on one GPU: cuDNN and cuBLAS compute convolutions and products, own kernels the rest.
#pragma once

#include <memory>

#include "trainer/engine/cuda_module.h"
#include "trainer/engine/engine.h"

namespace spottrain::cuda {

// Implements CudaModule::make_engine().
std::unique_ptr<Engine> make_engine(const ModelDescription& model, const EngineOptions& options,
                                    const GpuGang* gang);

}  // namespace spottrain::cuda
