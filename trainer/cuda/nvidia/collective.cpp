#include "trainer/cuda/collective.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "trainer/cuda/nvidia/nccl.h"
#include "trainer/cuda/watchdog.h"

namespace spottrain::cuda {
namespace {

static_assert(sizeof(ncclUniqueId) == sizeof(GpuGangId));

constexpr std::chrono::milliseconds kPause{1};  // while NCCL is busy

// Selects NCCL's ring algorithm. In-switch sums (NVLS) differ between calls
// (https://github.com/NVIDIA/nccl/issues/1497), while a ring adds in the order of its ranks. NCCL
// reads this only from its environment, and broadcasts support a ring, too.
void ask_for_a_ring() {
  setenv("NCCL_ALGO", "Ring", 1);
  setenv("NCCL_PROTO", "Simple", 1);
  setenv("NCCL_NVLS_ENABLE", "0", 1);
}

}  // namespace

// The communicator does not block, so a call may return while NCCL is still busy. The code below
// then waits without the mutex, so that the watchdog can abort the call. See "Fault Tolerance" in
// NCCL's user guide,
// https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html.
struct Collective::Ranks {
  Ranks(const GpuGang& gang, bool ring)
      : deterministic(ring),
        watchdog([this] { return trouble(); }, [this] { abort(); }, Watchdog::Patience{}) {
    if (deterministic) ask_for_a_ring();
    ncclUniqueId id;
    std::memcpy(&id, gang.id.data(), sizeof id);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    watchdog.begin();
    try {
      call("meeting the other ranks", [&] {
        return nccl().comm_init_rank_config(&comm, gang.rank.size, id, gang.rank.rank, &config);
      });
    } catch (...) {
      abort();
      throw;
    }
    watchdog.end();
  }
  // Waits for all ranks. After an exception the state of other ranks is unknown, so this rank does
  // not wait.
  ~Ranks() {
    if (std::uncaught_exceptions() == 0) leave();
    abort();
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  void leave() {
    try {
      watchdog.begin();
      call("ending", [&] { return nccl().comm_finalize(comm); });
      watchdog.end();
      const std::lock_guard lock(mutex);
      nccl().comm_destroy(std::exchange(comm, nullptr));
    } catch (const std::runtime_error&) {  // the loss of another rank does not matter any more
    }
  }

  // Makes one NCCL call and waits for it.
  template <typename Call>
  void call(std::string_view what, Call function) {
    ncclResult_t result = with_comm(function);
    while (result == ncclInProgress) {
      std::this_thread::sleep_for(kPause);
      result = with_comm([&] {
        ncclResult_t state = ncclSuccess;
        const ncclResult_t asked = nccl().comm_get_async_error(comm, &state);
        return asked == ncclSuccess ? state : asked;
      });
    }
    const std::lock_guard lock(mutex);
    nccl().check(result, what, comm);
  }

  template <typename Call>
  ncclResult_t with_comm(Call function) {
    const std::lock_guard lock(mutex);
    if (aborted) throw std::runtime_error("NCCL: another rank was lost");
    return function();
  }

  std::string trouble() {
    const std::lock_guard lock(mutex);
    ncclResult_t state = ncclSuccess;
    if (comm == nullptr || nccl().comm_get_async_error(comm, &state) != ncclSuccess) return {};
    if (state == ncclSuccess || state == ncclInProgress) return {};
    return fmt::format("NCCL: {}: another rank has ended, or cannot be reached",
                       nccl().get_error_string(state));
  }

  void abort() {
    const std::lock_guard lock(mutex);
    aborted = true;
    if (comm != nullptr) nccl().comm_abort(std::exchange(comm, nullptr));
  }

  const bool deterministic;
  std::mutex mutex;
  ncclComm_t comm = nullptr;
  bool aborted = false;
  Watchdog watchdog;
};

Collective::Collective(const GpuGang& gang, bool deterministic)
    : ranks_(std::make_unique<Ranks>(gang, deterministic)) {}
Collective::~Collective() = default;

// Sums in one group, because a group is one launch.
void Collective::sum(float* values, std::size_t count, LossSums* sums, const Stream& stream) {
  ranks_->call("summing over the ranks", [&] {
    const auto add = [&](void* data, std::size_t size, ncclDataType_t type) {
      return nccl().all_reduce(data, data, size, type, ncclSum, ranks_->comm, stream.raw());
    };
    ncclResult_t result = nccl().group_start();
    if (result == ncclSuccess && count > 0) result = add(values, count, ncclFloat32);
    if (result == ncclSuccess) result = add(&sums->loss, 1, ncclFloat64);
    if (result == ncclSuccess) result = add(&sums->correct, 1, ncclInt64);
    const ncclResult_t end = nccl().group_end();
    return result == ncclSuccess ? end : result;
  });
}

void Collective::broadcast(float* values, std::size_t count, const Stream& stream) {
  ranks_->call("handing out running means", [&] {
    return nccl().broadcast(values, values, count, ncclFloat32, 0, ranks_->comm, stream.raw());
  });
}

void Collective::begin() { ranks_->watchdog.begin(); }
void Collective::end() { ranks_->watchdog.end(); }

std::string Collective::description() const {
  return fmt::format("NCCL {}{}", nccl().version(), ranks_->deterministic ? ", ring" : "");
}

}  // namespace spottrain::cuda
