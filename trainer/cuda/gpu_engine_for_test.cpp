#include "trainer/cuda/engine_for_test.h"
#include "trainer/engine/cuda_module.h"

namespace spottrain::cuda {

namespace {

std::string why_unavailable() {
  try {
    make_cuda_engine({"probe", {}, {{"dense", Dense{2}}}}, {.batch_size = 1});
    return {};
  } catch (const EngineUnavailable& unavailable) {
    return unavailable.what();
  }
}

}  // namespace

std::string why_untested() {
  static const std::string reason = why_unavailable();
  return reason;
}

CudaModule& tested_module() { return cuda_module(); }

std::unique_ptr<Engine> tested_engine(const ModelDescription& model, const EngineOptions& options) {
  return make_cuda_engine(model, options);
}

bool is_emulated() { return false; }

}  // namespace spottrain::cuda
