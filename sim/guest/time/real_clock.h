// The one place where spotsim itself waits in real time, for the kernel to finish what a call
// began.
#pragma once

#include <chrono>
#include <functional>

namespace sim::guest {

// Real time since some moment.
std::chrono::microseconds real_time();

// Looks, at first often and then every millisecond, until `done`; false when it is not after five
// seconds of real time.
bool wait_for_kernel(const std::function<bool()>& done);

}  // namespace sim::guest
