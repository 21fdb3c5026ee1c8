// A strategy for a world in which spot capacity is only seen by asking for it. EC2 has no action
// that reports whether an instance could be launched: RunInstances launches one or refuses.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "policies/acquisition/strategy.h"

namespace policies {

class TryingStrategy {
 public:
  // Throws std::invalid_argument as make_strategy does, and for a strategy that is an oracle.
  TryingStrategy(std::string_view text, const AcquisitionJob& job, std::size_t pools,
                 std::chrono::nanoseconds longest_move);

  // True when the instance is there now; false when there is none of its kind in this tick.
  using Launch = std::function<bool(const Placement&)>;
  // Decides for a tick, has `launch` do what is new, and returns what is held then. A pool of
  // `state` has instances as long as nothing else is known. Where a launch on spot is refused, the
  // strategy decides as if it had been told of a pool without instances from the first: one that
  // was told all earlier ticks as they came out is asked. Where on-demand is refused, what is held
  // stays. What `launch` throws leaves the tick out.
  Placement decide(const MarketState& state, const Launch& launch);

 private:
  struct Tick {
    MarketState state;  // but for its pools
    std::vector<PoolQuote> pools;
  };
  Placement ask(const Tick& tick);
  Placement try_until_there(Tick& now, const Launch& launch);
  void begin_anew();

  std::string text_;
  AcquisitionJob job_;
  std::size_t pools_;
  std::chrono::nanoseconds longest_move_;
  std::unique_ptr<Strategy> strategy_;
  std::vector<Tick> past_;
};

}  // namespace policies
