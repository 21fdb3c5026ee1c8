// Implements the module's interface on the linked device.
#pragma once

#include "trainer/engine/cuda_module.h"

namespace spottrain::cuda {

CudaModule& module();

}  // namespace spottrain::cuda
