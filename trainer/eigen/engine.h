// The engine for every processor, in Eigen: a model's layers as plainly as they can be written,
// with every sum in one order. It says what the fast engine (trainer/cpu) computes, bit for bit.
#pragma once

#include <memory>

#include "trainer/engine/engine.h"

namespace spottrain {

// Throws std::invalid_argument for a model or options that make no sense.
std::unique_ptr<Engine> make_eigen_engine(const ModelDescription& model,
                                          const EngineOptions& options);

}  // namespace spottrain
