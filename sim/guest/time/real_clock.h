// The only place where spotsim itself reads this machine's clocks and waits in real time, for the
// kernel to finish a call's effect.
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

// Calls `done`, at first often and then every millisecond, until it is true. False if that takes
// longer in real time.
bool wait_for_kernel(const std::function<bool()>& done,
                     std::chrono::milliseconds longest = std::chrono::seconds{5});

}  // namespace sim::guest
