// Checks the result of every call of CUDA's runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string_view>

namespace spottrain::cuda {

// Throws std::runtime_error for any error. `what` names the attempted action.
void check_cuda(cudaError_t error, std::string_view what);

}  // namespace spottrain::cuda
