// The spot market of one region in virtual time: the prices and the capacity of its pools.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/kernel/simulation.h"
#include "sim/market/instance_types.h"
#include "sim/market/price_history.h"

namespace sim::market {

// From `at` on, the pool has `slots` instances in total, including those running.
struct CapacityChange {
  Time at;
  Pool pool;
  int slots;
};

// The account's limits in this region (EC2 User Guide, "Amazon EC2 service quotas"); empty: no
// limit. A limit of vCPUs applies to each of EC2's groups of instance types by itself: Standard, G
// and VT, P, and so on.
struct Quotas {
  std::optional<int> spot_vcpus;       // of spot instances and open spot requests
  std::optional<int> spot_requests;    // open, or with an instance
  std::optional<int> on_demand_vcpus;  // of on-demand instances
  bool operator==(const Quotas&) const = default;
};

// EC2's group of this instance type: "Standard", "G and VT", "P" …
std::string quota_group(std::string_view instance_type);

// The on-demand price list: its types, region and time. It does not change during a run.
struct PriceList {
  std::string region = "us-west-2";
  std::shared_ptr<const InstanceTypes> types = instance_types();
  std::optional<Time> at = {};  // empty: the newest prices
};

// The prices replay a history, for all of its pools. Capacity is unlimited at first in every pool
// with prices, and set_capacity changes it. A history's instants are the run's; a caller shifts
// them first if they differ. The market does not know instances: the cloud queries it and observes
// its changes.
class Market {
 public:
  static constexpr int kUnlimited = std::numeric_limits<int>::max();

  // Logs a "price" event for each pool that has a price now, and then one for each change when it
  // comes into force. A point that repeats the previous price is no change and is not logged. Only
  // each pool's next change waits in `simulation`. Each change of capacity is logged as a
  // "capacity" event. Any number of markets, of any threads, may share a history.
  Market(Simulation& simulation, EventLog& log, std::shared_ptr<const PriceHistory> history,
         PriceList on_demand = {});
  Market(Simulation& simulation, EventLog& log, PriceHistory history, PriceList on_demand = {})
      : Market(simulation, log, std::make_shared<const PriceHistory>(std::move(history)),
               std::move(on_demand)) {}
  Market(const Market&) = delete;
  Market& operator=(const Market&) = delete;

  // Whether the pool has a price now.
  bool offers(const Pool& pool) const;
  // The price in force at t, which may be in the future because the trace is known. Empty before
  // the pool's first point, and for pools without prices.
  std::optional<Usd> spot_price(const Pool& pool, Time t) const;
  // The first instant after t at which the price differs from that at t. Empty if it never does.
  std::optional<Time> next_price(const Pool& pool, Time t) const;
  // The points in force in [from, to], beginning with the one in force at `from`, as in
  // DescribeSpotPriceHistory.
  std::vector<PricePoint> spot_prices(const Pool& pool, Time from, Time to) const;
  // The first instant ≥ from at which the pool's price exceeds `limit`. Empty if it never does.
  std::optional<Time> first_above(const Pool& pool, Usd limit, Time from) const;
  // The last point of the pool's history, whose price stays in force; empty for pools without
  // prices.
  std::optional<Time> last_point(const Pool& pool) const;
  // All pools with prices, ordered.
  std::vector<Pool> pools() const;

  // The on-demand price per hour. Empty for an unknown type.
  std::optional<Usd> on_demand_price(const std::string& instance_type) const;
  // All known instance types.
  const InstanceTypes& types() const { return *on_demand_.types; }

  // The total number of slots. 0 for a pool that has neither prices nor a set capacity.
  int capacity(const Pool& pool) const;
  // Sets the capacity from now on. A change is logged and reported to the observers. slots ≥ 0.
  void set_capacity(const Pool& pool, int slots);
  void schedule(const CapacityChange& change);
  // Limits the number of slots, regardless of the pool's present and later capacity. Empty: no
  // limit. Reported like set_capacity.
  void limit_capacity(const Pool& pool, std::optional<int> slots);
  // On-demand slots in total, including those of running instances; unlimited until they are set.
  int on_demand_capacity(const Pool& pool) const;
  // Sets them from now on, and notifies the observers. slots ≥ 0.
  void set_on_demand_capacity(const Pool& pool, int slots);
  const Quotas& quotas() const { return quotas_; }
  // Sets the quotas from now on, and notifies the observers of every pool with prices.
  void set_quotas(const Quotas& quotas);
  // Sets the pool's price from now on. Later prices of the pool's history are ignored, and rises
  // end. A change is logged and reported to the observers. The pool must have prices (asserted).
  void set_price(const Pool& pool, Usd price);
  // Until `until` the pool's price is `factor` times the price that set_price() set, or else its
  // history's. From then on the pool has the price that it would have had. `until` must be in the
  // future, and the pool must have a price (both asserted). Reported like set_price.
  void raise_price(const Pool& pool, double factor, Time until);
  // Called after each price or capacity change of a pool is in force and logged. Observers may set
  // capacities, and must not subscribe during a call.
  void subscribe(std::function<void(const Pool&)> observer);

 private:
  void log_price(const Pool& pool, Usd price);
  // Replaces the pool's history by these points, from now on.
  void replace_points(const Pool& pool, std::vector<PricePoint> points);
  void schedule_next_price(const Pool& pool, const std::vector<PricePoint>& points,
                           std::size_t index);
  void tell_capacity(const Pool& pool, int before);
  int own_capacity(const Pool& pool) const;
  void notify(const Pool& pool);
  const std::vector<PricePoint>* points_of(const Pool& pool) const;
  const std::vector<PricePoint>* usual_points_of(const Pool& pool) const;  // without rises

  Simulation& simulation_;
  EventLog& log_;
  std::shared_ptr<const PriceHistory> history_;
  PriceList on_demand_;
  std::map<Pool, EventId> next_change_;
  std::map<Pool, std::vector<PricePoint>> set_prices_;      // replace those pools' histories
  std::map<Pool, std::vector<PricePoint>> changed_prices_;  // in force: the same, with rises
  std::map<Pool, int> capacity_, limits_, on_demand_capacity_;
  Quotas quotas_;
  std::vector<std::function<void(const Pool&)>> observers_;
};

}  // namespace sim::market
