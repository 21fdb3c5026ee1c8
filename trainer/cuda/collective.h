// What the GPUs of a gang compute together. Two implementations are linked: nvidia/collective.cpp
// on NCCL, which is loaded when it is asked for, and emulated/collective.cpp between threads, for
// tests.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "trainer/cuda/device.h"
#include "trainer/cuda/kernels/kernels.h"
#include "trainer/engine/cuda_module.h"

namespace spottrain::cuda {

// Empty if there is NCCL.
std::string why_no_gangs();
// Throws std::runtime_error.
GpuGangId new_gang_id();

class Collective {
 public:
  // Returns when all ranks have joined. Throws std::runtime_error if a rank is lost before; all
  // functions below do that, too. deterministic: sums are reproducible, at some cost.
  Collective(const GpuGang& gang, bool deterministic);
  ~Collective();

  // These enqueue, on every rank in the same order. The vector, which may be empty, and the sums of
  // losses become the sums over all ranks.
  void sum(float* values, std::size_t count, LossSums* sums, const Stream& stream);
  // The values become those of rank 0.
  void broadcast(float* values, std::size_t count, const Stream& stream);

  // Work that waits for other ranks runs between begin() and end(). The caller calls end() when the
  // device has finished the work or has given it up. In the second case end() throws with the
  // reason. A loss of a rank that NCCL notices is detected within seconds; ten minutes without
  // end() count as a loss.
  void begin();
  void end();

  // "NCCL 2.28.9, ring": what the order of a sum depends on besides the ranks' places.
  std::string description() const;

 private:
  struct Ranks;
  std::unique_ptr<Ranks> ranks_;
};

}  // namespace spottrain::cuda
