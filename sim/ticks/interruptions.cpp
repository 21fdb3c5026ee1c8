#include "sim/ticks/interruptions.h"

#include <algorithm>
#include <string>

#include "sim/kernel/check.h"
#include "sim/kernel/random.h"

namespace sim::ticks {
namespace {

void interrupt_pool(PoolWindow& pool, Duration tick, const Interruptions& drawn, Stream stream) {
  auto& available = pool.spot.available;
  Duration at{};
  while (true) {
    at += stream.weibull(drawn.every, 1);
    const auto from = static_cast<std::size_t>(at / tick);
    if (from >= available.size()) return;
    at += std::max(stream.weibull(drawn.away, 1), tick);
    const std::size_t to = std::min(static_cast<std::size_t>(at / tick), available.size());
    std::fill(available.begin() + static_cast<std::ptrdiff_t>(from),
              available.begin() + static_cast<std::ptrdiff_t>(to), 0);
  }
}

}  // namespace

void interrupt(std::vector<Window>& windows, Duration tick, const Interruptions& drawn) {
  SIM_CHECK(drawn.every > Duration::zero() && tick > Duration::zero());
  const Streams streams(drawn.seed);
  for (Window& window : windows)
    for (PoolWindow& pool : window.pools.pools)
      interrupt_pool(
          pool, tick, drawn,
          streams.stream("interruption",
                         window.market + "#" + std::to_string(window.number) + "/" + pool.name));
}

SpotLife spot_life(const std::vector<Window>& windows, const TickJob& job) {
  SpotLife life;
  for (const Window& window : windows)
    for (const PoolWindow& pool : window.pools.pools) {
      bool before = false;
      for (std::size_t t = 0; t < pool.spot.available.size(); ++t) {
        const bool there =
            pool.spot.available[t] > 0 && spot_price(pool, job, t) <= on_demand_price(pool, job);
        life.there += there ? job.tick : Duration::zero();
        life.interruptions += before && !there;
        before = there;
      }
    }
  return life;
}

}  // namespace sim::ticks
