// Chooses the engine of a training.
#pragma once

#include <functional>
#include <memory>

#include "trainer/engine/engine.h"
#include "trainer/gang/communicator.h"

namespace spottrain {

// Makes an engine for a model.
using EngineFactory = std::function<std::unique_ptr<Engine>(const ModelDescription& model,
                                                            const EngineOptions& options)>;

enum class Device { cpu, cuda };

// Makes the engine of one rank. `cpu` selects the engine on a processor; `gang` is null for a
// single process. For a GPU the factory may throw EngineUnavailable.
EngineFactory engine_factory(Device device, CpuEngine cpu, Communicator* gang);

}  // namespace spottrain
