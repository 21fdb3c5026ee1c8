// Runs a strategy where spot capacity is visible only by launching. EC2 has no action that reports
// capacity: RunInstances launches an instance or refuses.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "policies/acquisition/strategy.h"

namespace policies {

class TryingStrategy {
 public:
  // Throws std::invalid_argument like make_strategy, and for an oracle.
  TryingStrategy(std::string_view text, const AcquisitionJob& job, std::size_t pools,
                 std::chrono::nanoseconds longest_move);

  // True if the instance is running now, false if there is no capacity in this tick.
  using Launch = std::function<bool(const Placement&)>;
  // Decides for a tick, calls `launch` for a new instance, and returns what is held afterwards.
  // Pools of `state` count as available while nothing else is known. If a launch on spot is
  // refused, the strategy decides again, as if that pool had been known to be empty from the start
  // of the tick. If on-demand is refused, the held instance stays. If `launch` throws, the tick is
  // skipped.
  Placement decide(const MarketState& state, const Launch& launch);

 private:
  struct Tick {
    MarketState state;  // without its pools
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
