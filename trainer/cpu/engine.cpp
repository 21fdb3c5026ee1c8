#include "trainer/cpu/engine.h"

#include <stdexcept>

#include "trainer/cpu/kernels/dispatch.h"
#include "trainer/eigen/engine.h"

namespace spottrain {

std::unique_ptr<Engine> make_cpu_engine(const ModelDescription& model,
                                        const EngineOptions& options) {
  const cpu::Kernels* kernels = options.cpu == CpuEngine::eigen ? nullptr : cpu::fastest_kernels();
  if (kernels) return cpu::make_engine(model, options, *kernels);
  if (options.cpu == CpuEngine::fast) {
    throw std::invalid_argument("the fast engine needs x86-64 with AVX2 and FMA");
  }
  return make_eigen_engine(model, options);
}

}  // namespace spottrain
