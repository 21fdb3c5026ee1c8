// The one place where spotsim itself reads this machine's clocks and waits in real time, for the
// kernel to finish what a call began.
#pragma once

#include <chrono>
#include <functional>

namespace sim::guest {

// Real time since some moment.
std::chrono::microseconds real_time();
// What the calling thread has had of processors since its start.
std::chrono::microseconds thread_time();

// This machine's date, since the Unix epoch: to the nanosecond, and as coarse as what its kernel
// writes into files from then on, which is never earlier.
std::chrono::nanoseconds real_date();
std::chrono::nanoseconds coarse_real_date();

// Looks, at first often and then every millisecond, until `done`; false when it is not after five
// seconds of real time.
bool wait_for_kernel(const std::function<bool()>& done);

}  // namespace sim::guest
