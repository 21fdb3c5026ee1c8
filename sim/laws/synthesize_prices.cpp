#include "sim/laws/synthesize_prices.h"

#include <algorithm>
#include <cmath>

#include "sim/kernel/check.h"
#include "sim/kernel/random.h"
#include "sim/laws/price_statistics.h"
#include "sim/traces/trace_file.h"

namespace sim::laws {
namespace {

constexpr std::int64_t kGrid = 100'000;  // $0.0001 in 10^-9 dollars
constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kLargest = 1'000'000'000'000'000;  // a million dollars
constexpr std::int64_t kMostVolatile = 100 * kMillion, kStrongest = 2 * kMillion;

// Nearly normal with mean 0 and standard deviation 10^6: the sum of 12 uniform integers minus its
// mean (Irwin–Hall). Integers make it equal on every machine.
std::int64_t normal_ppm(Stream& stream) {
  std::int64_t sum = 0;
  for (int i = 0; i < 12; ++i) sum += static_cast<std::int64_t>(stream.below(kMillion));
  return sum - 6 * kMillion;
}

std::int64_t to_grid(std::int64_t nano) { return (nano + kGrid / 2) / kGrid * kGrid; }

market::Usd next_price(market::Usd price, const PricePath& path, Stream& stream) {
  const __int128 deviation = static_cast<__int128>(path.base.nano) * path.volatility_ppm / kMillion;
  const auto noise = static_cast<std::int64_t>(deviation * normal_ppm(stream) / kMillion);
  const auto pull = static_cast<std::int64_t>(static_cast<__int128>(path.base.nano - price.nano) *
                                              path.reversion_ppm / kMillion);
  const std::int64_t next = std::max<std::int64_t>(price.nano + pull + noise, 0);
  return std::clamp(market::Usd{to_grid(next)}, path.min, path.max);
}

std::vector<market::PricePoint> walk(const PricePath& path, const Synthesis& s, Stream stream) {
  SIM_CHECK(path.min.nano >= kGrid && path.min <= path.base && path.base <= path.max);
  SIM_CHECK(path.max.nano <= kLargest && path.change_interval >= 1min);
  SIM_CHECK(path.volatility_ppm >= 0 && path.volatility_ppm <= kMostVolatile);
  SIM_CHECK(path.reversion_ppm >= 0 && path.reversion_ppm <= kStrongest);
  std::vector<market::PricePoint> points{{s.from, path.base}};
  Time at = s.from;
  for (;;) {
    const Duration wait = stream.exponential(path.change_interval);
    at += std::max<Duration>(std::chrono::floor<std::chrono::seconds>(wait), 1s);
    if (at >= s.to) break;
    const market::Usd price = next_price(points.back().price, path, stream);
    if (price != points.back().price) points.push_back({at, price});
  }
  points.push_back({s.to, points.back().price});
  return points;
}

// Sums over a history's changes p → q, with x = base − p and y = q − p.
struct Changes {
  std::int64_t count = 0;
  double xx = 0, xy = 0, yy = 0;
};

Changes changes_of(const std::vector<market::PricePoint>& points, market::Usd base) {
  Changes sums;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].price == points[i - 1].price) continue;
    const double x = (base - points[i - 1].price).dollars();
    const double y = (points[i].price - points[i - 1].price).dollars();
    ++sums.count;
    sums.xx += x * x, sums.xy += x * y, sums.yy += y * y;
  }
  return sums;
}

std::int64_t ppm(double share, std::int64_t most) {
  return std::clamp<std::int64_t>(std::llround(std::min(share, 1e6) * kMillion), 0, most);
}

}  // namespace

PricePath fitted_path(const market::Pool& pool, const std::vector<market::PricePoint>& points) {
  const PriceStatistics s = statistics_of(points);
  if (s.max.nano > kLargest)
    throw traces::TraceError(market::to_string(pool) + ": found $" + market::format_usd(s.max) +
                             " an hour, expected at most a million for a path");
  const auto in_grid = [](market::Usd price) {
    return std::max(market::Usd{to_grid(price.nano)}, market::Usd{kGrid});
  };
  PricePath path{
      .pool = pool, .base = in_grid(s.mean), .min = in_grid(s.min), .max = in_grid(s.max)};
  const Changes changes = changes_of(points, s.mean);
  if (changes.count < 2) {
    path.volatility_ppm = 0;
    return path;
  }
  const Duration each = (s.last - s.first) / changes.count;
  path.change_interval = std::clamp<Duration>(each, 1min, 366 * 24h);
  const double pull = changes.xx > 0 ? std::clamp(changes.xy / changes.xx, 0.0, 2.0) : 0;
  const double residuals = changes.yy - 2 * pull * changes.xy + pull * pull * changes.xx;
  const double deviation = std::sqrt(std::max(residuals, 0.0) / static_cast<double>(changes.count));
  path.reversion_ppm = ppm(pull, kStrongest);
  path.volatility_ppm = ppm(deviation / s.mean.dollars(), kMostVolatile);
  return path;
}

market::PriceHistory synthesize(const Synthesis& s) {
  SIM_CHECK(s.from < s.to);
  const Streams streams(s.seed);
  market::PriceHistory history;
  for (const PricePath& path : s.paths)
    history.pools[path.pool] =
        walk(path, s, streams.stream("spot-price", market::to_string(path.pool)));
  return history;
}

}  // namespace sim::laws
