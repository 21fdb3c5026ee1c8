// The module's interface, on whichever device is linked.
#pragma once

#include "trainer/engine/cuda_module.h"

namespace spottrain::cuda {

CudaModule& module();

}  // namespace spottrain::cuda
