// What acquisition strategies see of the world: pools of spot capacity with prices, tick by tick.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "policies/acquisition/policy.h"

namespace policies {

// A pool (an instance type in an Availability Zone) during a tick.
struct PoolQuote {
  std::int64_t instances = 0;      // available on spot; 0: none for the job
  double spot = 0, on_demand = 0;  // USD an hour
  std::size_t region = 0;          // equal for the zones of one region
};

// Values that only oracles get.
class Future {
 public:
  virtual ~Future() = default;
  // For how long from now the pool will have spot for no more than the bid.
  virtual std::chrono::nanoseconds lifetime(std::size_t pool, double bid) const = 0;
};

// The cost and time of moving the job's data from one pool to another.
struct PoolMove {
  double egress = 0;                // USD
  std::chrono::nanoseconds time{};  // after the instance's launch, before its changeover
};

// The facts that a strategy may use when the tick begins.
struct MarketState {
  AcquisitionState job;  // without values that depend on the pool: spot, lifetime and price
  std::span<const PoolQuote> pools;        // as many in every tick of a run
  std::span<const PoolMove> moves;         // moves[from * pools.size() + to]
  std::size_t pool = 0;                    // of the instance held
  double bid = 0;                          // of the spot instance held
  std::optional<std::size_t> interrupted;  // the pool that has just taken its spot instance back
  std::optional<std::size_t> data;         // the pool in which an instance last worked
  const Future* future = nullptr;          // for oracles only

  // The move from the pool with the data. There is nothing to move before an instance has worked.
  PoolMove move_to(std::size_t to) const {
    return data && *data != to ? moves[*data * pools.size() + to] : PoolMove{};
  }
};

// What to hold during a tick. Spot in a pool without capacity, or above the bid, means nothing.
struct Placement {
  Rental rental = Rental::kIdle;
  std::size_t pool = 0;
  double bid = 0;     // for spot: the maximum price, USD an hour; a held instance keeps its own
  bool anew = false;  // end the held instance and launch the same again
  bool operator==(const Placement&) const = default;
};

}  // namespace policies
