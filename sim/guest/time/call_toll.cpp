#include "sim/guest/time/call_toll.h"

namespace sim::guest {

static_assert(Duration{1} == std::chrono::nanoseconds{1});

namespace {

// A guest that makes no call for this long has rested.
constexpr Duration kRest = std::chrono::microseconds{100};
// The weight without charge. az-hop's guests make some 100,000 calls, with many rests in between.
constexpr std::int64_t kFree = 200'000;
// A unit of weight costs one nanosecond per this many units since the last rest. At the end of the
// free calls a unit costs 40 µs, about the real time of a call. 12 minutes pass within 270,000
// questions.
constexpr std::int64_t kUnitsPerNanosecond = 5;

}  // namespace

Duration CallToll::of_call(Time now, CallWeight weight) {
  const auto units = static_cast<std::int64_t>(weight);
  if (now - last_ >= kRest) total_ = 0;
  total_ += units;
  const Duration cost{total_ > kFree ? units * total_ / kUnitsPerNanosecond : 0};
  last_ = now + cost;
  return cost;
}

bool CallToll::is_free(CallWeight weight) const {
  return total_ + static_cast<std::int64_t>(weight) <= kFree;
}

void CallToll::clock_is_lent() { total_ += static_cast<std::int64_t>(CallWeight::kLentClock); }

}  // namespace sim::guest
