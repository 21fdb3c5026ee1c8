// Lets a guest read the clock without a system call, in lockstep. Nearly all calls of a guest are
// clock reads: an HTTP request of libcurl makes 36. A read changes only the time, by a microsecond.
// So the supervisor lends the clock to the running task. The guest's programs share a page with the
// supervisor, in which the task advances the time itself, up to the next event. When no task can
// run any more, the supervisor takes the clock back and continues with that time.
#pragma once

#include <cstdint>

#include "base/files/file_descriptor.h"
#include "sim/guest/time/guest_clock.h"
#include "sim/kernel/time.h"

namespace sim::guest {

// A guest's page. Its programs can write anything to it, and only harm their own time.
class ClockLease {
 public:
  struct Page {
    std::uint64_t task;     // its number in its namespace; 0: not lent
    std::int64_t reading;   // ns since the epoch
    std::int64_t limit;     // upper limit of a reading
    std::int64_t cost;      // of a read, ns
    std::int64_t ahead[2];  // offset of a reading, ns: CLOCK_REALTIME, CLOCK_MONOTONIC
  };

  ClockLease();  // throws std::system_error
  ~ClockLease();
  ClockLease(const ClockLease&) = delete;
  ClockLease& operator=(const ClockLease&) = delete;

  int descriptor() const { return file_.get(); }  // of the page, to be mapped

  // Lends the clock to the task from `now` up to `limit`.
  void lend(std::uint64_t task, const GuestClock& clock, Time now, Time limit, Duration cost);
  // Makes the task's next read a system call. Any thread may call it.
  void end();
  // Ends the lease and returns the time that the task has reached.
  Time take_back();

 private:
  base::FileDescriptor file_;
  Page* page_;
  Time from_, limit_;
};

}  // namespace sim::guest
