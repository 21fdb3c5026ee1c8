#include "sim/guest/time/clock_lease.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "base/process/system_call.h"

namespace sim::guest {
namespace {

constexpr std::size_t kBytes = 4096;

std::int64_t nanoseconds(Duration d) { return std::chrono::nanoseconds(d).count(); }

}  // namespace

ClockLease::ClockLease()
    : file_(base::checked(memfd_create("clock", MFD_CLOEXEC | MFD_ALLOW_SEALING),
                          "making a clock's page")) {
  base::checked(ftruncate(file_.get(), kBytes), "making a clock's page");
  // A guest that cut it off would have us die of reading it.
  base::checked(fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL),
                "sealing a clock's page");
  void* at = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (at == MAP_FAILED) base::throw_errno("mapping a clock's page");
  page_ = static_cast<Page*>(at);
}

ClockLease::~ClockLease() { munmap(page_, kBytes); }

void ClockLease::lend(std::uint64_t task, const GuestClock& clock, Time now, Time limit,
                      Duration cost) {
  from_ = now;
  limit_ = limit;
  const std::int64_t reading = nanoseconds(now.time_since_epoch());
  *page_ = {task,
            reading,
            nanoseconds(limit.time_since_epoch()),
            nanoseconds(cost),
            {nanoseconds(clock.read(CLOCK_REALTIME, now)) - reading,
             nanoseconds(clock.read(CLOCK_MONOTONIC, now)) - reading}};
}

void ClockLease::end() { std::atomic_ref(page_->task).store(0, std::memory_order_relaxed); }

Time ClockLease::take_back() {
  end();
  const std::int64_t reading = std::atomic_ref(page_->reading).load(std::memory_order_relaxed);
  return std::clamp(Time{std::chrono::nanoseconds(reading)}, from_, limit_);
}

}  // namespace sim::guest
