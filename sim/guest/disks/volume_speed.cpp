#include "sim/guest/disks/volume_speed.h"

#include <algorithm>

namespace sim::guest {
namespace {

double seconds_for(std::int64_t bytes, std::int64_t bytes_per_second) {
  return bytes == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(bytes_per_second);
}

}  // namespace

double VolumeSpeed::credits(Time now) const {
  const Duration idle = std::max(now - free_at_, Duration{0});
  return std::min(credits_ + performance_.iops * seconds(idle), performance_.credits);
}

void VolumeSpeed::change(Time now, const cloud::VolumePerformance& performance) {
  const double left = credits(now);
  free_at_ = std::max(free_at_, now);
  performance_ = performance;
  credits_ = std::min(left, performance.credits);
}

// Serves a transfer and returns its seconds. `credits_` becomes the value at its end.
double VolumeSpeed::serve(const Transfer& transfer) {
  const auto& [speed, io_bytes, always, burst, most] = performance_;
  const double by_bytes =
      seconds_for(transfer.first_read, std::min(speed, first_read_speed_)) +
      seconds_for(std::max<std::int64_t>(transfer.bytes - transfer.first_read, 0), speed);
  const auto ios = static_cast<double>(transfer.ios);
  if (ios <= by_bytes * always) {
    credits_ = std::min(credits_ + always * by_bytes - ios, most);
    return by_bytes;
  }
  const double unthrottled = std::max(by_bytes, ios / burst);
  const double spent = ios - always * unthrottled;
  if (spent <= credits_) {
    credits_ -= spent;
    return unthrottled;
  }
  // The credits are spent at a constant rate.
  const double share = credits_ / spent;
  credits_ = 0;
  return share * unthrottled + (1 - share) * ios / always;
}

Duration VolumeSpeed::transfer(Time now, const Transfer& transfer) {
  const Time begin = std::max({now, free_at_, paused_until_});
  credits_ = credits(begin);
  free_at_ = begin + from_seconds(serve(transfer));
  return free_at_ - now;
}

}  // namespace sim::guest
