// NCCL, loaded at run time: one GPU needs none.
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

  // Throws std::runtime_error with what was tried, for any error; comm may be null.
  void check(ncclResult_t result, std::string_view what, ncclComm_t comm) const;
  // "2.28.9"
  std::string version() const;
};

// Loads libnccl.so.2 the first time. Throws std::runtime_error if there is none, or one older than
// 2.14, the first version whose calls can be aborted.
const Nccl& nccl();

}  // namespace spottrain::cuda
