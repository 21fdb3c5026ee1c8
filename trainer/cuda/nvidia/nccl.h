// NCCL, loaded at run time, because a single GPU does not need it.
#pragma once

#include <nccl.h>

#include <string>
#include <string_view>

namespace spottrain::cuda {

struct Nccl {
  decltype(&ncclGetVersion) get_version;
  decltype(&ncclGetUniqueId) get_unique_id;
  decltype(&ncclGetErrorString) get_error_string;
  decltype(&ncclGetLastError) get_last_error;
  decltype(&ncclCommInitRankConfig) comm_init_rank_config;
  decltype(&ncclCommFinalize) comm_finalize;
  decltype(&ncclCommDestroy) comm_destroy;
  decltype(&ncclCommAbort) comm_abort;
  decltype(&ncclCommGetAsyncError) comm_get_async_error;
  decltype(&ncclGroupStart) group_start;
  decltype(&ncclGroupEnd) group_end;
  decltype(&ncclAllReduce) all_reduce;
  decltype(&ncclBroadcast) broadcast;

  // Throws std::runtime_error for any error. `what` names the attempted action; comm may be null.
  void check(ncclResult_t result, std::string_view what, ncclComm_t comm) const;
  // "2.28.9"
  std::string version() const;
};

// Loads libnccl.so.2 at the first call. Throws std::runtime_error if it is missing or older than
// 2.14, the first version whose calls can be aborted.
const Nccl& nccl();

}  // namespace spottrain::cuda
