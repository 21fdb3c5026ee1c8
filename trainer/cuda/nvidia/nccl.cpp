#include "trainer/cuda/nvidia/nccl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "trainer/cuda/collective.h"

namespace spottrain::cuda {
namespace {

constexpr const char* kFile = "libnccl.so.2";
constexpr int kOldest = NCCL_VERSION(2, 14, 0);

template <typename Function>
void find(void* library, Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(dlerror());
}

// Loads the library and never closes it, because its threads continue to run.
Nccl load() {
  void* library = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  Nccl nccl{};
  find(library, nccl.get_version, "ncclGetVersion");
  int version = 0;
  if (nccl.get_version(&version) != ncclSuccess || version < kOldest) {
    throw std::runtime_error(
        fmt::format("{} is of version {}, expected at least {}", kFile, version, kOldest));
  }
  find(library, nccl.get_unique_id, "ncclGetUniqueId");
  find(library, nccl.get_error_string, "ncclGetErrorString");
  find(library, nccl.get_last_error, "ncclGetLastError");
  find(library, nccl.comm_init_rank_config, "ncclCommInitRankConfig");
  find(library, nccl.comm_finalize, "ncclCommFinalize");
  find(library, nccl.comm_destroy, "ncclCommDestroy");
  find(library, nccl.comm_abort, "ncclCommAbort");
  find(library, nccl.comm_get_async_error, "ncclCommGetAsyncError");
  find(library, nccl.group_start, "ncclGroupStart");
  find(library, nccl.group_end, "ncclGroupEnd");
  find(library, nccl.all_reduce, "ncclAllReduce");
  find(library, nccl.broadcast, "ncclBroadcast");
  return nccl;
}

}  // namespace

const Nccl& nccl() {
  static const Nccl loaded = load();
  return loaded;
}

void Nccl::check(ncclResult_t result, std::string_view what, ncclComm_t comm) const {
  if (result == ncclSuccess) return;
  const char* detail = get_last_error(comm);
  throw std::runtime_error(fmt::format("NCCL, {}: {}{}{}", what, get_error_string(result),
                                       detail == nullptr || *detail == '\0' ? "" : ": ",
                                       detail == nullptr ? "" : detail));
}

// Decodes the number as NCCL_VERSION() has encoded it since 2.9.
std::string Nccl::version() const {
  int version = 0;
  check(get_version(&version), "asking for its version", nullptr);
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

std::string why_no_gangs() {
  try {
    nccl();
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

GpuGangId new_gang_id() {
  ncclUniqueId id;
  nccl().check(nccl().get_unique_id(&id), "naming a gang", nullptr);
  GpuGangId bytes;
  std::memcpy(bytes.data(), &id, sizeof id);
  return bytes;
}

}  // namespace spottrain::cuda
