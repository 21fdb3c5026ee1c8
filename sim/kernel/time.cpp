#include "sim/kernel/time.h"

#include <cmath>

#include "base/time/iso_time.h"

namespace sim {
namespace {

std::string iso(Time t, int fraction_digits) {
  return base::iso_time(base::UtcTime{t.time_since_epoch()}, fraction_digits);
}

}  // namespace

std::string iso_nanoseconds(Time t) { return iso(t, 9); }
std::string iso_milliseconds(Time t) { return iso(t, 3); }
std::string iso_seconds(Time t) { return iso(t, 0); }

std::optional<Time> parse_time(std::string_view text) {
  const auto time = base::parse_iso_time(text);
  if (!time) return {};
  return Time{time->time_since_epoch()};
}

Duration from_seconds(double s) { return Duration{std::llround(s * 1e9)}; }

}  // namespace sim
