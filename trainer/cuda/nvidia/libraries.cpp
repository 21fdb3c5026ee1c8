#include "trainer/cuda/libraries.h"

#include <fmt/format.h>

#include <stdexcept>

#include "trainer/cuda/nvidia/handles.h"

namespace spottrain::cuda {
namespace {

// NVIDIA's advice for Hopper, which is more than enough for older GPUs:
// https://docs.nvidia.com/cuda/cublas/#cublassetworkspace
constexpr std::size_t kCublasWorkspace = std::size_t{32} << 20;

void check_cublas(cublasStatus_t status, std::string_view what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(fmt::format("cuBLAS, {}: {}", what, cublasGetStatusString(status)));
}

cudaDataType_t data_type(Element element) {
  return element == Element::f32 ? CUDA_R_32F : CUDA_R_16BF;
}

}  // namespace

Libraries::Handles::Handles(const Stream& stream, const EngineOptions& engine_options)
    : options(engine_options), cublas_workspace(kCublasWorkspace) {
  check_cudnn(cudnnCreate(&cudnn), "starting");
  check_cudnn(cudnnSetStream(cudnn, stream.raw()), "choosing a stream");
  device.set(CUDNN_ATTR_DEVICEPROP_HANDLE, CUDNN_TYPE_HANDLE, cudnn);
  device.finalize("asking what the device is");
  check_cublas(cublasCreate(&cublas), "starting");
  check_cublas(cublasSetStream(cublas, stream.raw()), "choosing a stream");
  // cuBLAS computes the same bits again for one stream with a workspace of its own. A graph also
  // needs this workspace: https://docs.nvidia.com/cuda/cublas/#results-reproducibility
  check_cublas(cublasSetWorkspace(cublas, cublas_workspace.data(), kCublasWorkspace),
               "handing over a workspace");
  check_cublas(cublasSetAtomicsMode(cublas, CUBLAS_ATOMICS_NOT_ALLOWED), "refusing atomics");
  check_cublas(cublasSetMathMode(cublas, static_cast<cublasMath_t>(
                                             CUBLAS_DEFAULT_MATH |
                                             CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)),
               "asking for sums in float32");
}

Libraries::Handles::~Handles() {
  if (cublas != nullptr) cublasDestroy(cublas);
  if (cudnn != nullptr) cudnnDestroy(cudnn);
}

void* Libraries::Handles::workspace(std::size_t bytes) {
  if (workspaces.empty() || workspaces.back().size() < bytes) workspaces.emplace_back(bytes);
  return workspaces.back().data();
}

Libraries::Libraries(const Stream& stream, const EngineOptions& options, const DeviceInfo& device) {
  if (options.precision != Precision::fp32 && device.capability < 80) {
    throw std::invalid_argument(
        fmt::format("{}: tf32 and bf16 need compute capability 8.0, this GPU has {}.{}",
                    device.name, device.capability / 10, device.capability % 10));
  }
  handles_ = std::make_unique<Handles>(stream, options);
}
Libraries::~Libraries() = default;

// Multiplies. cuBLAS stores matrices column by column, so it sees c as the transpose: cᵀ = bᵀ·aᵀ.
void Libraries::multiply(const Product& p) {
  const Precision precision = handles_->options.precision;
  const cudaDataType_t factors =
      data_type(precision == Precision::bf16 ? Element::bf16 : Element::f32);
  const float alpha = 1, beta = p.accumulate ? 1 : 0;
  check_cublas(
      cublasGemmEx(handles_->cublas, p.b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                   p.a_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, p.columns, p.rows, p.inner, &alpha,
                   p.b, factors, p.b_transposed ? p.inner : p.columns, p.a, factors,
                   p.a_transposed ? p.rows : p.inner, &beta, p.c, data_type(p.c_element), p.columns,
                   precision == Precision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
                   CUBLAS_GEMM_DEFAULT),
      fmt::format("a product of {}×{} and {}×{}", p.rows, p.inner, p.inner, p.columns));
}

std::string Libraries::versions() const {
  const std::size_t cudnn = cudnnGetVersion();
  int cublas = 0;
  check_cublas(cublasGetVersion(handles_->cublas, &cublas), "asking for its version");
  return fmt::format("cuDNN {}.{}.{}, cuBLAS {}.{}.{}", cudnn / 10000, cudnn / 100 % 100,
                     cudnn % 100, cublas / 10000, cublas / 100 % 100, cublas % 100);
}

}  // namespace spottrain::cuda
