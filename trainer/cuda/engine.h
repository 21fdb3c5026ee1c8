// The engine on one GPU: cuDNN and cuBLAS for convolutions and products, own kernels for the rest.
#pragma once

#include <memory>

#include "trainer/engine/cuda_module.h"
#include "trainer/engine/engine.h"

namespace spottrain::cuda {

// As CudaModule::make_engine().
std::unique_ptr<Engine> make_engine(const ModelDescription& model, const EngineOptions& options,
                                    const GpuGang* gang);

}  // namespace spottrain::cuda
