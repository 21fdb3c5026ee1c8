#include "sim/serve/pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sim::serve {
namespace {

// The latest time of a clock. Nanoseconds of a century fit into 64 bits several times.
constexpr double kLongestNanoseconds = 100.0 * 365 * 86'400 * 1e9;

Duration rounded(double nanoseconds) {
  return Duration{std::llround(std::clamp(nanoseconds, 0.0, kLongestNanoseconds))};
}

}  // namespace

std::optional<Speed> parse_speed(std::string_view text) {
  if (text == "max") return Speed{Speed::Kind::kMax};
  if (text == "manual") return Speed{Speed::Kind::kManual};
  double times = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), times);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc{} || rest != "x" || !(times > 0) || times > kFastest) return {};
  return Speed{Speed::Kind::kTimes, times};
}

std::string to_string(Speed speed) {
  if (speed.kind == Speed::Kind::kMax) return "max";
  if (speed.kind == Speed::Kind::kManual) return "manual";
  return fmt::format("{:g}x", speed.times);
}

void Pace::jump(Time now, RealTime real) {
  anchor_ = now;
  anchor_real_ = real;
}

Time Pace::at(RealTime real) const {
  if (speed_.kind != Speed::Kind::kTimes) return anchor_;
  return anchor_ + rounded(static_cast<double>((real - anchor_real_).count()) * speed_.times);
}

std::optional<RealTime> Pace::until(Time t, RealTime real) const {
  if (t <= at(real)) return RealTime{};
  if (speed_.kind != Speed::Kind::kTimes) return {};
  const double away = std::ceil(static_cast<double>((t - anchor_).count()) / speed_.times);
  return std::max(RealTime{}, anchor_real_ + rounded(away) - real);
}

}  // namespace sim::serve
