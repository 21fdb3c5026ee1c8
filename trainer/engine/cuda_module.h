// The engine on a GPU, from a module that is loaded when it is asked for: programs need no CUDA.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "trainer/engine/engine.h"

namespace spottrain {

// This machine cannot run the engine; what() says why: no module, no driver, no GPU.
struct EngineUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The module's file, beside the executable.
std::filesystem::path cuda_module_file();

// Throws EngineUnavailable; else as make_engine in trainer/cuda/engine.h.
std::unique_ptr<Engine> make_cuda_engine(const ModelDescription& model,
                                         const EngineOptions& options);

}  // namespace spottrain
