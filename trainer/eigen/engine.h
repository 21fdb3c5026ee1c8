// The engine for every processor, in Eigen. It computes a model's layers as plainly as possible,
// with a fixed order for every sum. It defines the results, bit for bit, of the fast engine
// (trainer/cpu).
#pragma once

#include <memory>

#include "trainer/engine/engine.h"

namespace spottrain {

// Makes the engine. Throws std::invalid_argument for an invalid model or invalid options.
std::unique_ptr<Engine> make_eigen_engine(const ModelDescription& model,
                                          const EngineOptions& options);

}  // namespace spottrain
