// The one function of the module that trainer/engine/cuda_module.cpp loads.
#include "trainer/cuda/engine.h"

extern "C" __attribute__((visibility("default"))) spottrain::Engine* spottrain_make_cuda_engine(
    const spottrain::ModelDescription& model, const spottrain::EngineOptions& options) {
  return spottrain::cuda::make_engine(model, options).release();
}
