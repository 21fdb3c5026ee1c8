// The handles of cuDNN and cuBLAS for one stream.
#pragma once

#include <cublas_v2.h>
#include <cudnn.h>

#include <vector>

#include "trainer/cuda/libraries.h"
#include "trainer/cuda/nvidia/descriptor.h"

namespace spottrain::cuda {

struct Libraries::Handles {
  Handles(const Stream& stream, const EngineOptions& options);
  ~Handles();

  // Memory for the present work. Earlier results stay valid, because graphs may use them.
  void* workspace(std::size_t bytes);

  const EngineOptions options;
  cudnnHandle_t cudnn = nullptr;
  cublasHandle_t cublas = nullptr;
  Descriptor device{CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR};
  Memory cublas_workspace;
  std::vector<Array<char>> workspaces;
};

}  // namespace spottrain::cuda
