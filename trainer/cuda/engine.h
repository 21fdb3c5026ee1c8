// The engine on one GPU: cuDNN and cuBLAS for convolutions and products, own kernels for the rest.
#pragma once

#include <memory>

#include "trainer/engine/engine.h"

namespace spottrain::cuda {

// On the process's first GPU (CUDA_VISIBLE_DEVICES chooses). Throws EngineUnavailable
// (trainer/engine/cuda_module.h) without one, std::invalid_argument for a model or options that
// make no sense, std::runtime_error for what CUDA or its libraries refuse.
std::unique_ptr<Engine> make_engine(const ModelDescription& model, const EngineOptions& options);

}  // namespace spottrain::cuda
