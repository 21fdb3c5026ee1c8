#include "trainer/engine/cuda_module.h"

#include <dlfcn.h>

#include <string>

namespace spottrain {
namespace {

using Module = CudaModule& (*)();

// Loads the module and never closes it, because its engines may still exist.
Module load(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) {
    throw EngineUnavailable("no CUDA engine: " + file.string() +
                            " does not exist, this build has no CUDA");
  }
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) throw EngineUnavailable(std::string("no CUDA engine: ") + dlerror());
  void* function = dlsym(module, "spottrain_cuda_module");
  if (function == nullptr) throw EngineUnavailable(std::string("no CUDA engine: ") + dlerror());
  return reinterpret_cast<Module>(function);
}

}  // namespace

std::filesystem::path cuda_module_file() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libspottrain_cuda.so";
}

CudaModule& cuda_module() {
  static const Module module = load(cuda_module_file());
  return module();
}

std::unique_ptr<Engine> make_cuda_engine(const ModelDescription& model,
                                         const EngineOptions& options) {
  return cuda_module().make_engine(model, options, nullptr);
}

}  // namespace spottrain
