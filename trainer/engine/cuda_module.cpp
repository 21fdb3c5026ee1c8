#include "trainer/engine/cuda_module.h"

#include <dlfcn.h>

#include <string>

namespace spottrain {
namespace {

using MakeEngine = Engine* (*)(const ModelDescription&, const EngineOptions&);

// Never closed: engines of the module live on.
MakeEngine load(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) {
    throw EngineUnavailable("no CUDA engine: " + file.string() +
                            " does not exist, this build has no CUDA");
  }
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) throw EngineUnavailable(std::string("no CUDA engine: ") + dlerror());
  void* function = dlsym(module, "spottrain_make_cuda_engine");
  if (function == nullptr) throw EngineUnavailable(std::string("no CUDA engine: ") + dlerror());
  return reinterpret_cast<MakeEngine>(function);
}

}  // namespace

std::filesystem::path cuda_module_file() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libspottrain_cuda.so";
}

std::unique_ptr<Engine> make_cuda_engine(const ModelDescription& model,
                                         const EngineOptions& options) {
  static const MakeEngine make = load(cuda_module_file());
  return std::unique_ptr<Engine>(make(model, options));
}

}  // namespace spottrain
