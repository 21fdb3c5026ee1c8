// All engines on processors that run here.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trainer/cpu/engine.h"
#include "trainer/cpu/kernels/dispatch.h"
#include "trainer/eigen/engine.h"

namespace spottrain::cpu {

struct EngineHere {
  std::string name;
  std::function<std::unique_ptr<Engine>(const ModelDescription&, const EngineOptions&)> make;
};

// Eigen's engine, which defines the results, and the fast engine with each set of kernels.
inline std::vector<EngineHere> engines_here() {
  std::vector<EngineHere> all{{"eigen", make_eigen_engine}};
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    all.push_back({std::string(kernels->name),
                   [kernels](const ModelDescription& model, const EngineOptions& options) {
                     return make_engine(model, options, *kernels);
                   }});
  }
  return all;
}

}  // namespace spottrain::cpu
