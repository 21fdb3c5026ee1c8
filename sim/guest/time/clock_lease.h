// Reading a clock without a call, in lockstep. Nearly all calls that a guest makes are clock reads:
// an HTTP request of libcurl's makes 36. Where a read by itself changes nothing but the time, a
// microsecond a read, the supervisor lends the clock to the task: in a page that the guest's
// programs share with it, the task moves the time on by itself, up to the next event. When no task
// can run any more, the supervisor takes the clock back and has the time that the task has got to.
#pragma once

#include <cstdint>

#include "base/file_descriptor.h"
#include "sim/guest/time/guest_clock.h"
#include "sim/kernel/time.h"

namespace sim::guest {

// A guest's page. Its programs can write anything to it, and only harm their own time.
class ClockLease {
 public:
  struct Page {
    std::uint64_t task;     // its number in its own namespace; 0: lent to none
    std::int64_t reading;   // ns since the epoch
    std::int64_t limit;     // what a reading may be at most
    std::int64_t cost;      // of a read, ns
    std::int64_t ahead[2];  // of a reading, ns: CLOCK_REALTIME, CLOCK_MONOTONIC
  };

  ClockLease();  // throws std::system_error
  ~ClockLease();
  ClockLease(const ClockLease&) = delete;
  ClockLease& operator=(const ClockLease&) = delete;

  int descriptor() const { return file_.get(); }  // of the page, to be mapped

  // To the task, from `now` on, up to `limit`.
  void lend(std::uint64_t task, const GuestClock& clock, Time now, Time limit, Duration cost);
  // The task's next read is a call. From any thread.
  void end();
  // Ends it and returns the time that the task has got to.
  Time take_back();

 private:
  base::FileDescriptor file_;
  Page* page_;
  Time from_, limit_;
};

}  // namespace sim::guest
