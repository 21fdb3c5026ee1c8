#include "trainer/cuda/module.h"

#include "trainer/cuda/collective.h"
#include "trainer/cuda/engine.h"

namespace spottrain::cuda {
namespace {

class Module final : public CudaModule {
 public:
  std::vector<GpuUuid> gpus() override { return cuda::gpus(); }
  std::string why_no_gangs() override { return cuda::why_no_gangs(); }
  GpuGangId new_gang_id() override { return cuda::new_gang_id(); }
  std::unique_ptr<Engine> make_engine(const ModelDescription& model, const EngineOptions& options,
                                      const GpuGang* gang) override {
    return cuda::make_engine(model, options, gang);
  }
};

}  // namespace

CudaModule& module() {
  static Module only;
  return only;
}

}  // namespace spottrain::cuda
