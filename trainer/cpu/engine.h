// The engine on processors. Its results depend on neither the number of threads nor the processor,
// as long as that has fused multiply-add (numeric_class() tells).
#pragma once

#include <memory>

#include "trainer/engine/engine.h"

namespace spottrain {

// The environment variable SPOTTRAIN_KERNELS (v2, v3 or v4) forces the kernels of one x86-64 level.
// Throws std::invalid_argument for a model or options that make no sense, or forced kernels that do
// not run here.
std::unique_ptr<Engine> make_cpu_engine(const ModelDescription& model,
                                        const EngineOptions& options);

namespace cpu {

struct Kernels;
// With given kernels, for tests that compare them.
std::unique_ptr<Engine> make_engine(const ModelDescription& model, const EngineOptions& options,
                                    const Kernels& kernels);

}  // namespace cpu
}  // namespace spottrain
