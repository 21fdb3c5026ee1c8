// The language of the .cu files. It is CUDA C++, or for tests C++ with an emulation of a GPU's
// threads (emulated/simt.h).
#pragma once

#include <type_traits>

#include "trainer/cuda/kernels/element.h"

#ifdef __CUDACC__

#include <cuda_runtime.h>

#include "trainer/cuda/nvidia/check.h"

namespace spottrain::cuda {

struct Grid {
  unsigned x = 1, y = 1;
};
inline constexpr unsigned kThreads = 256;  // of every block

// Enqueues a kernel whose threads do not wait for each other.
template <typename... Parameters, typename... Arguments>
void launch(CUstream_st* stream, Grid grid, void (*kernel)(Parameters...), Arguments... arguments) {
  kernel<<<dim3(grid.x, grid.y), kThreads, 0, stream>>>(static_cast<Parameters>(arguments)...);
  check_cuda(cudaGetLastError(), "launching a kernel");
}
// Enqueues a kernel that uses __syncthreads() or shuffles.
template <typename... Parameters, typename... Arguments>
void launch_cooperating(CUstream_st* stream, Grid grid, void (*kernel)(Parameters...),
                        Arguments... arguments) {
  launch(stream, grid, kernel, arguments...);
}

}  // namespace spottrain::cuda

#else
#include "trainer/cuda/emulated/simt.h"
#endif

namespace spottrain::cuda {

// The thread's number in a grid of one dimension.
__device__ inline unsigned own_index() { return blockIdx.x * kThreads + threadIdx.x; }

// Values that one thread loads and stores at once.
template <typename T, int Width>
struct alignas(sizeof(T) * Width) Pack {
  T at[Width];
};

template <int Width, typename T>
__device__ inline Pack<T, Width> load(const T* from) {
  return *reinterpret_cast<const Pack<T, Width>*>(from);
}
template <int Width, typename T>
__device__ inline void store(T* to, const Pack<T, Width>& pack) {
  *reinterpret_cast<Pack<T, Width>*>(to) = pack;
}

// Calls body with a value of the element's C++ type.
template <typename Body>
void with_element(Element element, Body body) {
  if (element == Element::f32) {
    body(float{});
  } else {
    body(Bf16{});
  }
}

// Calls body with as many values of T as 16 bytes hold if they divide `values`, else with one.
template <typename T, typename Body>
void with_width(unsigned values, Body body) {
  constexpr int wide = 16 / static_cast<int>(sizeof(T));
  if (values % wide == 0) {
    body(std::integral_constant<int, wide>{});
  } else {
    body(std::integral_constant<int, 1>{});
  }
}

// The blocks for one thread a value.
inline Grid grid_of(unsigned values) { return {(values + kThreads - 1) / kThreads, 1}; }

}  // namespace spottrain::cuda
