#include "sim/guest/time/virtual_timer.h"

#include <algorithm>
#include <utility>

#include "sim/guest/time/guest_clock.h"

namespace sim::guest {

void VirtualTimer::arm(Time first, Duration interval, std::function<void()> expired) {
  disarm();
  interval_ = interval;
  expired_ = std::move(expired);
  schedule(std::max(first, simulation_->now()));
}

void VirtualTimer::schedule(Time at) {
  due_ = at;
  if (at - simulation_->now() >= kForever / 2) return;
  event_ = simulation_->at(at, [this] {
    event_.reset();
    const std::function<void()> expired = expired_;
    if (interval_ > Duration{0})
      schedule(due_ + interval_);
    else
      expired_ = nullptr;
    expired();  // last: may destroy this timer
  });
}

void VirtualTimer::disarm() {
  if (event_) simulation_->cancel(*event_);
  event_.reset();
  expired_ = nullptr;
}

VirtualTimer::Setting VirtualTimer::setting() const {
  if (!expired_) return {Duration{0}, interval_};
  // An armed timer never shows zero, which would mean that it is not.
  return {std::max(due_ - simulation_->now(), Duration{1}), interval_};
}

}  // namespace sim::guest
