// Which engine a training is computed by.
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

// The engine of one rank; `cpu` is which on a processor, `gang` is null for a process alone. On a
// GPU what it makes may throw EngineUnavailable.
EngineFactory engine_factory(Device device, CpuEngine cpu, Communicator* gang);

}  // namespace spottrain
