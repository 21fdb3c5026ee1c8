// Converts between virtual time and the readings of a guest's clocks.
#pragma once

#include <sys/time.h>

#include <algorithm>
#include <ctime>
#include <optional>

#include "sim/kernel/time.h"

namespace sim::guest {

// Waits that are longer than this have no deadline.
constexpr Duration kForever = std::chrono::hours{24 * 365 * 100};
// The reading of the monotonic clocks when a guest is up, because its kernel takes time to boot.
constexpr Duration kUptimeAtBoot = std::chrono::seconds{10};

// What a clock does while its machine hibernates.
enum class WhileAsleep { kStops, kGoesOn };

// The clocks of one guest. Real-time clocks show virtual time, possibly with a skew from a fault.
// Monotonic clocks begin at the guest's boot. While the machine hibernates, they stand still,
// except CLOCK_BOOTTIME (clock_gettime(2)).
class GuestClock {
 public:
  explicit GuestClock(Time booted) : zero_(booted - kUptimeAtBoot) {}

  // The reading of `clock` at `now`.
  Duration read(clockid_t clock, Time now) const {
    return monotonic(clock) ? now - zero_ - asleep(clock, now) : now.time_since_epoch() + skew_;
  }
  // The virtual time at which `clock` shows `reading`, if the machine does not hibernate before.
  Time when(clockid_t clock, Duration reading) const {
    if (!monotonic(clock)) return Time{reading - skew_};
    return zero_ + reading + (while_asleep(clock) == WhileAsleep::kStops ? slept_ : Duration{0});
  }
  static WhileAsleep while_asleep(clockid_t clock) {
    const bool stops =
        clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_MONOTONIC_COARSE;
    return stops ? WhileAsleep::kStops : WhileAsleep::kGoesOn;
  }
  // The same for a length of time, which CLOCK_MONOTONIC measures unless the clock is
  // CLOCK_BOOTTIME (Linux, hrtimer_init()).
  static WhileAsleep while_asleep_relative(clockid_t clock) {
    const bool by_boot = clock == CLOCK_BOOTTIME || clock == CLOCK_BOOTTIME_ALARM;
    return by_boot ? WhileAsleep::kGoesOn : WhileAsleep::kStops;
  }
  // The machine hibernates from now on. It may hibernate already.
  void fall_asleep(Time now) {
    if (!asleep_since_) asleep_since_ = now;
  }
  // The machine resumes. Returns for how long it hibernated.
  Duration wake_up(Time now) {
    const Duration length = asleep_since_ ? now - *asleep_since_ : Duration{0};
    slept_ += length;
    asleep_since_.reset();
    return length;
  }
  // By how much the real-time clocks are ahead. Waits until an instant of these clocks do not
  // change.
  void set_skew(Duration skew) { skew_ = skew; }
  // Whether the clock shows virtual time. Other clocks (CPU time, devices) belong to the kernel.
  static bool virtual_time(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
           clock == CLOCK_REALTIME_ALARM || monotonic(clock);
  }

 private:
  Duration asleep(clockid_t clock, Time now) const {
    if (while_asleep(clock) == WhileAsleep::kGoesOn) return Duration{0};
    return slept_ + (asleep_since_ ? now - *asleep_since_ : Duration{0});
  }
  static bool monotonic(clockid_t clock) {
    return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
           clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME ||
           clock == CLOCK_BOOTTIME_ALARM;
  }
  Time zero_;
  Duration skew_{};
  Duration slept_{};  // in former hibernations
  std::optional<Time> asleep_since_;
};

inline timespec to_timespec(Duration d) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(d);
  return {whole.count(), (d - whole).count()};
}
inline timeval to_timeval(Duration d) {
  const timespec t = to_timespec(d);
  return {t.tv_sec, t.tv_nsec / 1000};
}
// Empty if the kernel would return EINVAL for the time. At most kForever.
inline std::optional<Duration> to_duration(const timespec& t) {
  if (t.tv_sec < 0 || t.tv_nsec < 0 || t.tv_nsec >= 1'000'000'000) return {};
  const std::chrono::seconds most = std::chrono::duration_cast<std::chrono::seconds>(kForever);
  if (t.tv_sec >= most.count()) return kForever;
  return std::chrono::seconds{t.tv_sec} + std::chrono::nanoseconds{t.tv_nsec};
}
inline std::optional<Duration> to_duration(const timeval& t) {
  if (t.tv_usec < 0 || t.tv_usec >= 1'000'000) return {};
  return to_duration(timespec{t.tv_sec, t.tv_usec * 1000});
}

}  // namespace sim::guest
