// Tests only: windows of spot capacity, written and drawn.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/kernel/random.h"
#include "sim/ticks/tick_run.h"

namespace sim::ticks {

// Capacity tick by tick, "1101".
inline std::vector<std::uint8_t> written_capacity(std::string_view ticks) {
  std::vector<std::uint8_t> available;
  for (const char c : ticks) available.push_back(static_cast<std::uint8_t>(c - '0'));
  return available;
}

// Draws fewer than `ticks` ticks, first with or without capacity. In each tick capacity comes or
// goes with a chance that is drawn too, from 1 in 2 to 1 in 31. Capacity is 1 to `most` instances.
inline std::vector<std::uint8_t> drawn_capacity(Stream& draw, std::uint64_t ticks,
                                                std::uint64_t most = 1) {
  std::vector<std::uint8_t> available;
  const auto some = [&] { return static_cast<std::uint8_t>(1 + draw.below(most)); };
  const std::uint64_t turn = 2 + draw.below(30);
  std::uint8_t now = draw.below(2) ? some() : std::uint8_t{0};
  for (std::uint64_t t = draw.below(ticks); t > 0; --t) {
    if (draw.below(turn) == 0) now = now ? std::uint8_t{0} : some();
    available.push_back(now);
  }
  return available;
}

// The same with prices of 1 to `prices` times `unit`.
inline SpotWindow drawn_window(Stream& draw, std::uint64_t ticks, std::uint64_t most,
                               std::uint64_t prices, market::Usd unit) {
  SpotWindow w{.available = drawn_capacity(draw, ticks, most)};
  for (std::size_t t = 0; t < w.available.size(); ++t)
    w.prices.push_back({static_cast<std::int64_t>(1 + draw.below(prices)) * unit.nano});
  return w;
}

}  // namespace sim::ticks
