#include "trainer/cuda/engine_for_test.h"
#include "trainer/cuda/module.h"

namespace spottrain::cuda {

std::string why_untested() { return {}; }

CudaModule& tested_module() { return module(); }

std::unique_ptr<Engine> tested_engine(const ModelDescription& model, const EngineOptions& options) {
  return module().make_engine(model, options, nullptr);
}

bool is_emulated() { return true; }

}  // namespace spottrain::cuda
