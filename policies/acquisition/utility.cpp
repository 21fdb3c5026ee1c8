#include <algorithm>

#include "policies/acquisition/composed.h"
#include "policies/acquisition/nelson_aalen.h"
#include "policies/acquisition/safety_net.h"
#include "policies/checkpoint/argument.h"

namespace policies {
namespace {

using std::chrono::nanoseconds;

double hours_of(Seconds time) {
  return std::chrono::duration<double, std::ratio<3600>>(time).count();
}

// SkyNomad's utility (NSDI'27): of all that could be held, what has the largest
//
//   U = V·η − price − egress ÷ L̂,  η = max(L̂ − d, 0) ÷ L̂
//
// in USD an hour, where V = p_od·(D ÷ C)·(work left ÷ time left) is what an hour of progress is
// worth (p_od on the line of Uniform Progress, more behind it), L̂ how long the pool's capacity is
// expected to last (Nelson-Aalen; the time left for on-demand), and d the changeover still to come,
// the move's time included. Nothing is worth 0. What is held is left only for what is worth
// `margin` of the on-demand price more. Spot is bid for at the on-demand price. The simulated world
// shows the capacity of all pools in every tick, so nothing is paid for probes.
class Utility final : public Strategy {
 public:
  explicit Utility(double margin) : margin_(margin) {}

 private:
  void begin(const AcquisitionJob& job, std::size_t pools, nanoseconds longest_move) override {
    job_ = longest_ = job;
    longest_.changeover += longest_move;
    lives_.assign(pools, {});
  }

  Placement decide(const MarketState& state) override {
    for (std::size_t p = 0; p < lives_.size(); ++p) lives_[p].observe(offers(state.pools[p]));
    const Placement held = held_now(state);
    const Placement on_demand{
        Rental::kOnDemand, held.rental == Rental::kOnDemand ? held.pool : on_demand_pool(state), 0};
    const Goal goal = whole_job(state.job, job_);
    if (!is_urgent(goal, 2, longest_)) return best_of(state, held, on_demand, goal);
    const bool working = state.job.changeover_left == nanoseconds::zero();
    const bool keep = held.rental == Rental::kSpot && (working || !is_urgent(goal, 1, longest_));
    return keep ? held : on_demand;
  }

  static bool offers(const PoolQuote& quote) {
    return quote.instances > 0 && quote.spot <= quote.on_demand;
  }

  static Placement held_now(const MarketState& state) {
    if (state.job.now == Rental::kIdle) return {};
    return {state.job.now, state.pool, state.bid};
  }

  Placement best_of(const MarketState& state, const Placement& held, const Placement& on_demand,
                    const Goal& goal) const {
    Placement best = held;
    double most = worth(state, held, goal);
    if (held.rental != Rental::kIdle) most += margin_ * state.pools[on_demand.pool].on_demand;
    const auto consider = [&](const Placement& other) {
      const double u = worth(state, other, goal);
      if (u > most) best = other, most = u;
    };
    consider({});
    consider(on_demand);
    for (std::size_t p = 0; p < state.pools.size(); ++p)
      if (offers(state.pools[p])) consider({Rental::kSpot, p, state.pools[p].on_demand});
    return best;
  }

  // U, in USD an hour.
  double worth(const MarketState& state, const Placement& what, const Goal& goal) const {
    if (what.rental == Rental::kIdle) return 0;
    const PoolQuote& quote = state.pools[what.pool];
    const bool same = what.rental == state.job.now && what.pool == state.pool;
    const PoolMove move = same ? PoolMove{} : state.move_to(what.pool);
    const double left = hours_of(goal.ticks_left * job_.tick);
    const bool spot = what.rental == Rental::kSpot;
    const double life =
        spot ? lives_[what.pool].expected_left(goal.ticks_left) * hours_of(job_.tick) : left;
    const Seconds changeover =
        same ? Seconds(state.job.changeover_left) : Seconds(job_.changeover + move.time);
    const double useful = std::max(life - hours_of(changeover), 0.0) / life;
    const double value = state.pools[on_demand_pool(state)].on_demand * hours_of(job_.deadline) /
                         hours_of(job_.work) * hours_of(goal.work_left) / left;
    return value * useful - (spot ? quote.spot : quote.on_demand) - move.egress / life;
  }

  double margin_;
  AcquisitionJob job_{}, longest_{};  // and with the longest changeover that there can be
  std::vector<NelsonAalen> lives_;    // by pool
};

}  // namespace

std::unique_ptr<Strategy> make_utility(std::string_view argument) {
  return std::make_unique<Utility>(read_share(argument));
}

}  // namespace policies
