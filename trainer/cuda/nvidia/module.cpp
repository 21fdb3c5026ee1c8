// Defines the module's only exported function, which trainer/engine/cuda_module.cpp loads.
#include "trainer/cuda/module.h"

extern "C" __attribute__((visibility("default"))) spottrain::CudaModule& spottrain_cuda_module() {
  return spottrain::cuda::module();
}
