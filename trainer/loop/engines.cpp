#include "trainer/loop/engines.h"

#include <cstdio>

#include "trainer/cpu/engine.h"
#include "trainer/engine/cuda_module.h"
#include "trainer/gang/gang_engine.h"
#include "trainer/gang/gpu_gang.h"

namespace spottrain {
namespace {

void tell(const std::string& text) { std::fprintf(stderr, "spottrain: %s\n", text.c_str()); }

std::unique_ptr<Engine> make_engine(Device device, Communicator* gang,
                                    const ModelDescription& model, const EngineOptions& options) {
  if (device == Device::cpu) {
    auto engine = make_cpu_engine(model, options);
    return gang == nullptr ? std::move(engine) : make_gang_engine(std::move(engine), model, *gang);
  }
  try {
    return gang == nullptr ? make_cuda_engine(model, options)
                           : make_gpu_gang_engine(cuda_module(), model, options, *gang, tell);
  } catch (const EngineUnavailable& unavailable) {
    throw EngineUnavailable(std::string("--device cuda: ") + unavailable.what());
  }
}

}  // namespace

EngineFactory engine_factory(Device device, CpuEngine cpu, Communicator* gang) {
  return [device, cpu, gang](const ModelDescription& model, EngineOptions options) {
    options.cpu = cpu;
    if (gang != nullptr) options.seed += static_cast<std::uint64_t>(gang->rank());
    return make_engine(device, gang, model, options);
  };
}

}  // namespace spottrain
