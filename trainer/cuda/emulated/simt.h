// Emulates a GPU's threads on one CPU thread, so that tests can run kernels on machines without a
// GPU. It has the parts of CUDA C++ that the .cu files use. Blocks run in sequence. Within a block,
// threads that wait for each other are coroutines. Each host thread has its own device.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local

struct CUstream_st;

namespace spottrain::cuda {

struct Index {
  unsigned x = 0, y = 0;
};
inline thread_local Index threadIdx, blockIdx, blockDim, gridDim;

using Grid = Index;
inline constexpr unsigned kThreads = 256;  // of every block

// All threads of the block that have not returned wait for each other.
void __syncthreads();

namespace emulated {
// Runs work now, or adds it to the graph that is being recorded.
void enqueue(std::function<void()> work);
void run_independent(Grid grid, const std::function<void()>& thread);
void run_cooperating(Grid grid, const std::function<void()>& thread);
std::uint64_t exchange(std::uint64_t value, unsigned lane);
}  // namespace emulated

// The value of the thread whose number in the warp differs in these bits.
inline double __shfl_xor_sync(unsigned /*threads*/, double value, unsigned bits) {
  return std::bit_cast<double>(
      emulated::exchange(std::bit_cast<std::uint64_t>(value), (threadIdx.x % 32) ^ bits));
}
inline int __shfl_xor_sync(unsigned /*threads*/, int value, unsigned bits) {
  return static_cast<int>(
      emulated::exchange(static_cast<std::uint64_t>(value), (threadIdx.x % 32) ^ bits));
}

template <typename... Parameters, typename... Arguments>
void launch(CUstream_st*, Grid grid, void (*kernel)(Parameters...), Arguments... arguments) {
  emulated::enqueue([=] { emulated::run_independent(grid, [&] { kernel(arguments...); }); });
}
template <typename... Parameters, typename... Arguments>
void launch_cooperating(CUstream_st*, Grid grid, void (*kernel)(Parameters...),
                        Arguments... arguments) {
  emulated::enqueue([=] { emulated::run_cooperating(grid, [&] { kernel(arguments...); }); });
}

}  // namespace spottrain::cuda
