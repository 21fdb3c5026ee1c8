// The joint computations of the GPUs of a gang. Two implementations are linked:
// nvidia/collective.cpp uses NCCL, which is loaded on demand, and emulated/collective.cpp works
// between threads, for tests.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "trainer/cuda/device.h"
#include "trainer/cuda/kernels/kernels.h"
#include "trainer/engine/cuda_module.h"

namespace spottrain::cuda {

// Why this machine has no NCCL. Empty if it has.
std::string why_no_gangs();
// Makes the ID of a new gang. Throws std::runtime_error.
GpuGangId new_gang_id();

// One rank's end of the gang. All ranks must enqueue the same work in the same order.
class Collective {
 public:
  // Returns when all ranks have joined. `deterministic` makes sums reproducible, at some cost. This
  // constructor and all functions below throw std::runtime_error if a rank is lost.
  Collective(const GpuGang& gang, bool deterministic);
  ~Collective();

  // These functions enqueue work, on every rank in the same order. sum() replaces the vector, which
  // may be empty, and the sums of losses by their sums over all ranks.
  void sum(float* values, std::size_t count, LossSums* sums, const Stream& stream);
  // Replaces the values by those of rank 0.
  void broadcast(float* values, std::size_t count, const Stream& stream);

  // Work that waits for other ranks runs between begin() and end(). The caller calls end() when the
  // device has finished or aborted the work. If the work was aborted, end() throws the reason. The
  // loss of a rank that NCCL notices is detected within seconds. Ten minutes without end() count as
  // a loss.
  void begin();
  void end();

  // Everything beyond the ranks' order that the order of a sum depends on: "NCCL 2.28.9, ring".
  std::string description() const;

 private:
  struct Ranks;
  std::unique_ptr<Ranks> ranks_;
};

}  // namespace spottrain::cuda
