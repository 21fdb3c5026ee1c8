#include "sim/market/synthesize.h"

#include <algorithm>

#include "sim/kernel/check.h"
#include "sim/kernel/random.h"

namespace sim::market {
namespace {

constexpr std::int64_t kGrid = 100'000;  // $0.0001 in 10^-9 dollars
constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kLargest = 1'000'000'000'000'000;  // a million dollars
// A change takes back a tenth of the distance from the base (an AR(1) process), so that a path
// strays about 2.3 standard deviations of a change from it.
constexpr std::int64_t kReversion = 10;

// Nearly normal with mean 0 and standard deviation 10^6: the sum of 12 uniform integers, less its
// mean (Irwin–Hall), in integers so that it is equal on every machine.
std::int64_t normal_ppm(Stream& stream) {
  std::int64_t sum = 0;
  for (int i = 0; i < 12; ++i) sum += static_cast<std::int64_t>(stream.below(kMillion));
  return sum - 6 * kMillion;
}

std::int64_t to_grid(std::int64_t nano) { return (nano + kGrid / 2) / kGrid * kGrid; }

Usd next_price(Usd price, const PricePath& path, std::int64_t volatility_ppm, Stream& stream) {
  const __int128 deviation = static_cast<__int128>(path.base.nano) * volatility_ppm / kMillion;
  const auto noise = static_cast<std::int64_t>(deviation * normal_ppm(stream) / kMillion);
  const std::int64_t pull = (path.base.nano - price.nano) / kReversion;
  const std::int64_t next = std::max<std::int64_t>(price.nano + pull + noise, 0);
  return std::clamp(Usd{to_grid(next)}, path.min, path.max);
}

std::vector<PricePoint> walk(const PricePath& path, const Synthesis& s, Stream stream) {
  SIM_CHECK(path.min.nano >= kGrid && path.min <= path.base && path.base <= path.max);
  SIM_CHECK(path.max.nano <= kLargest);
  std::vector<PricePoint> points{{s.from, path.base}};
  Time at = s.from;
  for (;;) {
    const Duration wait = stream.exponential(s.change_interval);
    at += std::max<Duration>(std::chrono::floor<std::chrono::seconds>(wait), 1s);
    if (at >= s.to) break;
    const Usd price = next_price(points.back().price, path, s.volatility_ppm, stream);
    if (price != points.back().price) points.push_back({at, price});
  }
  points.push_back({s.to, points.back().price});
  return points;
}

}  // namespace

PriceHistory synthesize(const Synthesis& s) {
  SIM_CHECK(s.from < s.to && s.change_interval >= 1min && s.volatility_ppm >= 0);
  const Streams streams(s.seed);
  PriceHistory history;
  for (const PricePath& path : s.paths)
    history.pools[path.pool] = walk(path, s, streams.stream("spot-price", to_string(path.pool)));
  return history;
}

}  // namespace sim::market
