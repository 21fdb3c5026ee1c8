// Engines on processors. Their results depend on neither the number of threads nor the processor.
#pragma once

#include <memory>

#include "trainer/engine/engine.h"

namespace spottrain {

// Makes the engine that options.cpu names. The environment variable SPOTTRAIN_KERNELS (v3 or v4)
// selects the fast engine's kernels of one x86-64 level. Throws std::invalid_argument for an
// invalid model or options, or if the processor does not support the engine.
std::unique_ptr<Engine> make_cpu_engine(const ModelDescription& model,
                                        const EngineOptions& options);

namespace cpu {

struct Kernels;
// The fast engine with given kernels.
std::unique_ptr<Engine> make_engine(const ModelDescription& model, const EngineOptions& options,
                                    const Kernels& kernels);

}  // namespace cpu
}  // namespace spottrain
