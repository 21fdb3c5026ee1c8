// The common part of the policies of SkyNomad's artifact (Li et al., NSDI'27;
// github.com/andylizf/skynomad-artifact, tag nsdi27-ae). It has the possible actions in a tick and
// the prices that a policy sees. It also has the safety net of the artifact's simulator
// (maybe_trigger_safety_net of sky_spot/env.py).
#pragma once

#include <vector>

#include "policies/acquisition/strategy.h"

namespace policies {

class SkyNomadStrategy : public Strategy {
 public:
  void begin(const AcquisitionJob& job, std::size_t pools,
             std::chrono::nanoseconds longest_move) final;
  Placement decide(const MarketState& state) final;
  std::span<const std::size_t> probed() const final { return probed_; }

 protected:
  struct Held {
    Rental rental = Rental::kIdle;
    std::size_t pool = 0;
    bool is(Rental other) const { return rental == other; }
  };

  // A run begins.
  virtual void reset() = 0;
  // One tick, unless the safety net has taken over.
  virtual void step() = 0;

  const AcquisitionJob& job() const { return job_; }
  const MarketState& market() const { return *state_; }
  std::size_t pools() const { return prices_.size(); }
  Held held() const { return held_; }  // after the actions of this tick so far
  double now() const;                  // seconds, as all times here
  double done() const;
  double work_left() const { return work_ - done(); }
  double work() const { return work_; }
  double deadline() const { return deadline_; }
  double restart() const { return restart_; }
  double tick() const { return tick_; }
  // Of the instance held since before this tick.
  double restart_left() const;
  // Whole ticks until the deadline.
  double time_left() const;
  // Whole ticks for the work left and so many restarts.
  double needed(double restarts) const;

  bool has_spot(std::size_t pool) const;
  // The pool's spot price at its last launch or probe, USD an hour, because the artifact's
  // simulator moves a region's clock only then (TraceEnv.get_price). Before that, the price of the
  // first tick.
  double seen_price(std::size_t pool) const { return prices_[pool]; }
  void see_price(std::size_t pool) { prices_[pool] = state_->pools[pool].spot; }

  void terminate() { held_ = {}; }
  bool try_spot(std::size_t pool);
  void launch_on_demand(std::size_t pool);
  bool probe(std::size_t pool);
  // Where an instance was held last; none before the first.
  std::optional<std::size_t> leader() const { return state_->data; }

 private:
  void launch(Rental rental, std::size_t pool);
  bool safety_net();
  std::size_t cheapest_on_demand() const;

  AcquisitionJob job_{};
  double work_ = 0, deadline_ = 0, restart_ = 0, tick_ = 0;
  const MarketState* state_ = nullptr;
  Held held_{};
  bool launched_ = false, latched_ = false, begun_ = false;
  std::vector<double> prices_;
  std::vector<std::size_t> probed_;
};

}  // namespace policies
