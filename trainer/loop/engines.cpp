#include "trainer/loop/engines.h"

#include "trainer/cpu/engine.h"
#include "trainer/engine/cuda_module.h"
#include "trainer/gang/gang_engine.h"

namespace spottrain {

EngineFactory engine_factory(Device device, Communicator* gang) {
  const auto make = device == Device::cuda ? make_cuda_engine : make_cpu_engine;
  if (gang == nullptr) return make;
  return [make, gang](const ModelDescription& model, EngineOptions options) {
    options.seed += static_cast<std::uint64_t>(gang->rank());
    return make_gang_engine(make(model, options), model, *gang);
  };
}

}  // namespace spottrain
