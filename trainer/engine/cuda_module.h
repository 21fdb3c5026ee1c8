// Loads the GPU engine from a module on demand, so that programs do not depend on CUDA.
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

// This machine cannot run the engine. what() has the reason: no module, no driver, no GPU.
struct EngineUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// CUDA's UUID of a GPU: no two GPUs of any machines have the same.
using GpuUuid = std::array<std::byte, 16>;

// NCCL's unique ID, by which the GPUs of a gang find each other.
using GpuGangId = std::array<std::byte, 128>;

// One rank among the GPUs that train a model together.
struct GpuGang {
  RankOf rank;
  GpuGangId id{};
};

class CudaModule {
 public:
  virtual ~CudaModule() = default;

  // The GPUs of this machine in CUDA's order, at least one. Throws EngineUnavailable.
  virtual std::vector<GpuUuid> gpus() = 0;
  // Why GPUs cannot form gangs on this machine. Empty if they can.
  virtual std::string why_no_gangs() = 0;
  // Makes the ID of a new gang, on one rank for all. Throws std::runtime_error.
  virtual GpuGangId new_gang_id() = 0;
  // Makes an engine on the GPU that the options choose. `gang` is null for a single engine. In a
  // gang, all ranks get the same batches, and each computes its share, with the results that
  // make_gang_engine() (trainer/gang/gang_engine.h) promises. All ranks must make the same calls in
  // the same order. This call returns when all ranks have made it. Throws EngineUnavailable,
  // std::invalid_argument for an invalid model or options, and std::runtime_error for errors of
  // CUDA or its libraries. If another rank is lost, this call and all functions of the engine throw
  // std::runtime_error.
  virtual std::unique_ptr<Engine> make_engine(const ModelDescription& model,
                                              const EngineOptions& options,
                                              const GpuGang* gang) = 0;
};

// The module's file, beside the executable.
std::filesystem::path cuda_module_file();

// Loads the module at the first call. Throws EngineUnavailable.
CudaModule& cuda_module();

// Makes a single engine, without a gang.
std::unique_ptr<Engine> make_cuda_engine(const ModelDescription& model,
                                         const EngineOptions& options);

}  // namespace spottrain
