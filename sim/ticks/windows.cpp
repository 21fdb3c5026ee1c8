#include "sim/ticks/windows.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "sim/kernel/check.h"
#include "sim/kernel/random.h"

namespace sim::ticks {
namespace {

std::int64_t number_of(const market::Pool& pool) {
  const std::size_t hash = pool.instance_type.find('#');
  std::int64_t number = 0;
  if (hash != std::string::npos) {
    const char* const end = pool.instance_type.data() + pool.instance_type.size();
    std::from_chars(pool.instance_type.data() + hash + 1, end, number);
  }
  return number;
}

bool is_window(const market::Pool& pool) {
  return pool.instance_type.find('#') != std::string::npos;
}

// The pool's type without a window's number.
std::string type_of(const market::Pool& pool) {
  return pool.instance_type.substr(0, pool.instance_type.find('#'));
}

SpotWindow window_of(const traces::CapacitySeries& series, Time from, Time to, const Cut& cut) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint8_t>::max();
  SpotWindow w;
  for (const std::int64_t n : traces::sample(series, from, to, cut.tick))
    w.available.push_back(static_cast<std::uint8_t>(std::min(n / cut.instances, kMost)));
  if (!cut.trace_prices || series.prices.empty()) return w;
  auto next = series.prices.begin();
  market::Usd price = next->price;
  for (Time t = from; t < to; t += cut.tick) {
    for (; next != series.prices.end() && next->at <= t; ++next) price = next->price;
    w.prices.push_back(price);
  }
  return w;
}

struct Span {
  Time from, to;
};

// The spans to cut from the time between `begin` and `end`.
std::vector<Span> spans(Time begin, Time end, const Cut& c) {
  if (end <= begin) return {};
  if (c.length == Duration::zero()) return {{begin, end}};
  if (end - begin < c.length) return {};
  std::vector<Span> all;
  for (const Duration start : c.starts)
    if (begin + start + c.length <= end) all.push_back({begin + start, begin + start + c.length});
  if (c.every > Duration::zero())
    for (Time from = begin; from + c.length <= end; from += c.every)
      all.push_back({from, from + c.length});
  if (!c.starts.empty() || c.every > Duration::zero()) return all;
  const std::int64_t starts = (end - begin - c.length) / c.tick + 1;
  Stream stream = Streams(c.seed).stream("window");
  for (std::int64_t i = 0; i < c.count; ++i) {
    const auto first = static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(starts)));
    const Time from = begin + first * c.tick;
    all.push_back({from, from + c.length});
  }
  return all;
}

WindowOrigin in_trace(Duration from, Duration length) {
  return {.kind = WindowOrigin::Kind::kInTrace, .from = from, .length = length};
}

// The place of a window that another program cut.
WindowOrigin place_of_ready(const traces::CapacitySeries& window) {
  if (!window.cut_at) return {.kind = WindowOrigin::Kind::kUnknown};
  return in_trace(*window.cut_at, window.end - window.steps.front().at);
}

}  // namespace

std::string market_of(const market::Pool& pool) {
  const std::string type = type_of(pool);
  return pool.availability_zone.empty() ? type : pool.availability_zone + "_" + type;
}

Window window_of_one(std::string market, std::int64_t number, SpotWindow spot, WindowOrigin place) {
  Pools one{{{.name = market, .spot = std::move(spot)}}, {{}}};
  return {std::move(market), number, std::move(one), place};
}

std::vector<Window> cut(const traces::AvailabilityTrace& trace, const Cut& c) {
  SIM_CHECK(c.tick > Duration::zero() && c.count >= 0 && c.instances > 0);
  std::vector<Window> windows;
  for (const auto& [pool, series] : trace.pools) {
    const Time begin = series.steps.front().at;
    const auto found =
        is_window(pool) ? std::vector<Span>{{begin, series.end}} : spans(begin, series.end, c);
    std::int64_t number = number_of(pool);
    const auto on_demand = c.on_demand.find(pool);
    for (const auto& [from, to] : found) {
      windows.push_back(window_of_one(
          market_of(pool), number++, window_of(series, from, to, c),
          is_window(pool) ? place_of_ready(series) : in_trace(from - begin, to - from)));
      PoolWindow& window = windows.back().pools.pools.front();
      window.instance_type = type_of(pool);
      if (on_demand != c.on_demand.end()) window.on_demand = on_demand->second;
    }
  }
  return windows;
}

std::vector<Window> cut_side_by_side(const std::string& market, const std::vector<PoolTrace>& pools,
                                     const MoveCosts& moves, const Cut& cut) {
  SIM_CHECK(cut.tick > Duration::zero() && cut.count >= 0 && cut.instances > 0 && !pools.empty());
  Cut with_prices = cut;
  with_prices.trace_prices = true;
  Time begin = pools.front().series.steps.front().at, end = pools.front().series.end;
  for (const PoolTrace& pool : pools) {
    begin = std::max(begin, pool.series.steps.front().at);
    end = std::min(end, pool.series.end);
  }
  std::vector<Window> windows;
  for (const auto& [from, to] : spans(begin, end, cut)) {
    Window window{
        market, static_cast<std::int64_t>(windows.size()), {}, in_trace(from - begin, to - from)};
    for (const PoolTrace& pool : pools)
      window.pools.pools.push_back({.name = pool.name,
                                    .spot = window_of(pool.series, from, to, with_prices),
                                    .on_demand = pool.on_demand,
                                    .spot_price = pool.spot_price,
                                    .instance_type = pool.instance_type});
    window.pools.moves = moves_between(window.pools.pools, moves);
    windows.push_back(std::move(window));
  }
  return windows;
}

traces::AvailabilityTrace always_there(const market::PriceHistory& history) {
  traces::AvailabilityTrace trace;
  for (const auto& [pool, points] : history.pools)
    trace.pools[pool] = {
        .steps = {{points.front().at, 1}}, .end = points.back().at, .prices = points};
  return trace;
}

std::vector<Window> draw(const WeibullRenewal& r) {
  SIM_CHECK(r.tick > Duration::zero() && r.up > Duration::zero() && r.down > Duration::zero());
  SIM_CHECK(r.up_shape > 0 && r.down_shape > 0);
  std::vector<Window> windows;
  for (std::int64_t i = 0; i < r.count; ++i) {
    Stream stream = Streams(r.seed).stream("spot-renewal", std::to_string(i));
    SpotWindow w;
    bool there = stream.uniform() * seconds(r.up + r.down) < seconds(r.up);
    Duration change{};
    for (Duration t{}; t < r.length; t += r.tick) {
      while (change <= t) {
        if (change > Duration::zero()) there = !there;
        change += std::max<Duration>(
            there ? stream.weibull(r.up, r.up_shape) : stream.weibull(r.down, r.down_shape), 1ms);
      }
      w.available.push_back(there);
    }
    windows.push_back(window_of_one(r.market, i, std::move(w)));
  }
  return windows;
}

}  // namespace sim::ticks
