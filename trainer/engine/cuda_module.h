// The engine on a GPU, from a module that is loaded when it is asked for: programs need no CUDA.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "trainer/engine/engine.h"
#include "trainer/engine/share.h"

namespace spottrain {

// This machine cannot run the engine; what() says why: no module, no driver, no GPU.
struct EngineUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// CUDA's UUID of a GPU: no two GPUs of any machines have the same.
using GpuUuid = std::array<std::byte, 16>;

// What the GPUs of a gang find each other by: NCCL's unique id.
using GpuGangId = std::array<std::byte, 128>;

// One rank's place among the GPUs that train a model together.
struct GpuGang {
  RankOf rank;
  GpuGangId id{};
};

class CudaModule {
 public:
  virtual ~CudaModule() = default;

  // Of this machine, in CUDA's order; at least one. Throws EngineUnavailable.
  virtual std::vector<GpuUuid> gpus() = 0;
  // Why GPUs cannot form gangs here; empty if they can.
  virtual std::string why_no_gangs() = 0;
  // Names a new gang, on one rank for all. Throws std::runtime_error.
  virtual GpuGangId new_gang_id() = 0;
  // On the GPU that the options choose. `gang` is null for an engine alone. With one, every rank is
  // given the same batches and computes its share, with the results that make_gang_engine()
  // (trainer/gang/gang_engine.h) promises; all ranks make the same calls in the same order, and
  // this one returns once all ranks have made it. Throws EngineUnavailable; std::invalid_argument
  // for a model or options that make no sense; std::runtime_error for what CUDA or its libraries
  // refuse, as all of the engine's functions do, and when another rank of the gang is lost.
  virtual std::unique_ptr<Engine> make_engine(const ModelDescription& model,
                                              const EngineOptions& options,
                                              const GpuGang* gang) = 0;
};

// The module's file, beside the executable.
std::filesystem::path cuda_module_file();

// Loads it the first time. Throws EngineUnavailable.
CudaModule& cuda_module();

// An engine alone.
std::unique_ptr<Engine> make_cuda_engine(const ModelDescription& model,
                                         const EngineOptions& options);

}  // namespace spottrain
