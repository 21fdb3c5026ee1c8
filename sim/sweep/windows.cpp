#include "sim/sweep/windows.h"

#include <charconv>

#include "sim/kernel/check.h"
#include "sim/kernel/random.h"

namespace sim::sweep {
namespace {

std::string market_of(const market::Pool& pool) {
  const std::string type = pool.instance_type.substr(0, pool.instance_type.find('#'));
  return pool.availability_zone.empty() ? type : pool.availability_zone + "_" + type;
}

std::int64_t number_of(const market::Pool& pool) {
  const std::size_t hash = pool.instance_type.find('#');
  std::int64_t number = 0;
  if (hash != std::string::npos) {
    const char* const end = pool.instance_type.data() + pool.instance_type.size();
    std::from_chars(pool.instance_type.data() + hash + 1, end, number);
  }
  return number;
}

SpotWindow window_of(const market::CapacitySeries& series, Time from, Time to, const Cut& cut) {
  SpotWindow w;
  for (const std::int64_t n : sample(series, from, to, cut.tick))
    w.available.push_back(n >= cut.instances);
  if (!cut.trace_prices || series.prices.empty()) return w;
  auto next = series.prices.begin();
  market::Usd price = next->price;
  for (Time t = from; t < to; t += cut.tick) {
    for (; next != series.prices.end() && next->at <= t; ++next) price = next->price;
    w.prices.push_back(price);
  }
  return w;
}

}  // namespace

std::vector<Window> cut(const market::AvailabilityTrace& trace, const Cut& c) {
  SIM_CHECK(c.tick > Duration::zero() && c.count >= 0);
  std::vector<Window> windows;
  for (const auto& [pool, series] : trace.pools) {
    const Time begin = series.steps.front().at;
    if (c.length == Duration::zero() || pool.instance_type.find('#') != std::string::npos) {
      windows.push_back(
          {market_of(pool), number_of(pool), window_of(series, begin, series.end, c)});
      continue;
    }
    const std::int64_t starts = (series.end - begin - c.length) / c.tick + 1;
    if (series.end - begin < c.length) continue;
    Stream stream = Streams(c.seed).stream("window");
    for (std::int64_t i = 0; i < c.count; ++i) {
      const auto first =
          static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(starts)));
      const Time from = begin + first * c.tick;
      windows.push_back({market_of(pool), i, window_of(series, from, from + c.length, c)});
    }
  }
  return windows;
}

std::vector<Window> draw(const Renewal& r) {
  SIM_CHECK(r.tick > Duration::zero() && r.up > Duration::zero() && r.down > Duration::zero());
  SIM_CHECK(r.up_shape > 0 && r.down_shape > 0);
  std::vector<Window> windows;
  for (std::int64_t i = 0; i < r.count; ++i) {
    Stream stream = Streams(r.seed).stream("spot-renewal", std::to_string(i));
    Window w{r.market, i, {}};
    bool there = stream.uniform() * seconds(r.up + r.down) < seconds(r.up);
    Duration change{};
    for (Duration t{}; t < r.length; t += r.tick) {
      while (change <= t) {
        if (change > Duration::zero()) there = !there;
        change += std::max<Duration>(
            there ? stream.weibull(r.up, r.up_shape) : stream.weibull(r.down, r.down_shape), 1ms);
      }
      w.spot.available.push_back(there);
    }
    windows.push_back(std::move(w));
  }
  return windows;
}

}  // namespace sim::sweep
