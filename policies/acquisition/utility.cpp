#include <algorithm>
#include <deque>

#include "policies/acquisition/composed.h"
#include "policies/acquisition/nelson_aalen.h"
#include "policies/acquisition/safety_net.h"
#include "policies/checkpoint/argument.h"

namespace policies {
namespace {

using std::chrono::nanoseconds;

// The constants of SkyNomad's artifact (github.com/andylizf/skynomad-artifact, tag nsdi27-ae,
// sky_spot/strategies/unified_cost_model.py), which its published figures were made with.
constexpr double kTimeValue = 1.2;                         // _compute_time_value
constexpr nanoseconds kLookBack = std::chrono::hours(12);  // __init__
constexpr nanoseconds kProgressWindow =
    std::chrono::hours(10);                    // the default --progress-window-hours
constexpr int kChangeoversBeforeDeadline = 2;  // _compute_od_weight_from_geometry

double hours_of(Seconds time) {
  return std::chrono::duration<double, std::ratio<3600>>(time).count();
}

// Whether a pool had spot in each of the last twelve hours' ticks.
class RecentSpot {
 public:
  void observe(bool there, std::size_t most) {
    seen_.push_back(there);
    had_ += there;
    if (seen_.size() <= most) return;
    had_ -= seen_.front();
    seen_.pop_front();
  }
  double share() const { return static_cast<double>(had_) / static_cast<double>(seen_.size()); }

 private:
  std::deque<bool> seen_;
  std::int64_t had_ = 0;
};

// How much of the time the job got on in, lately.
class Pace {
 public:
  void observe(const AcquisitionState& state, const AcquisitionJob& job) {
    past_.push_back({state.tick * job.tick, state.done});
    while (past_.back().at - past_.front().at > kProgressWindow) past_.pop_front();
  }

  // The share of the remaining work that on-demand will do. At the present pace, progress p meets
  // at instant x the line from which only on-demand reaches C by D, with two changeovers to spare.
  // The share is (D − x) ÷ (D − t). With pace r, p + r·(x − t) = C + 2d − (D − x).
  double on_demand_share(const AcquisitionJob& job) const {
    const double t = hours_of(past_.back().at), p = hours_of(past_.back().done);
    const double deadline = hours_of(job.deadline);
    const double needed =
        hours_of(job.work) + kChangeoversBeforeDeadline * hours_of(job.changeover) - deadline;
    const double r = pace();
    if (t <= 0 || r >= 1) return 0;
    const double x = (r * t - p + needed) / (r - 1);
    return std::clamp((deadline - x) / (deadline - t), 0.0, 1.0);
  }

 private:
  struct Point {
    nanoseconds at, done;
  };

  double pace() const {
    const double time = hours_of(past_.back().at - past_.front().at);
    if (time <= 0) return 0;
    return std::clamp(hours_of(past_.back().done - past_.front().done) / time, 0.0, 1.0);
  }

  std::deque<Point> past_;
};

// Available progress in hours, and the cost of one hour of it in USD.
struct PricedProgress {
  double price, hours;
};

// SkyNomad's utility (Li et al., NSDI'27): it holds the choice with the largest
//
//   U = V·η − price − egress ÷ L̂,  η = max(L̂ − d, 0) ÷ L̂
//
// in USD an hour. L̂ is the expected remaining life of the pool's capacity (Nelson-Aalen), and d is
// the coming changeover, including the move's time. The held choice has no changeover and η = 1;
// on-demand has U = V − p_od. Waiting is worth 0, but a held instance is not left for it. A held
// instance is left only for a gain of more than `margin` of the on-demand price.
//
// V, the value of an hour of progress, is 1.2 times its expected cost. On-demand's share of the
// remaining work (Pace) costs p_od. The rest is distributed over the pools, the least price ÷ η
// first. Each pool gets as much as fits into its part of the remaining time: its availability over
// the last twelve hours times η. Work that fits nowhere costs p_od.
//
// All pools are visible in every tick, so probes are not needed, and pools learn from all observed
// lives. The artifact differs. It learns only from its own instances and one probe a region. It
// raises the hazard after many interruptions at once, and limits L̂ to 2 h (except for V100s). It
// counts egress in V, and has a margin of 0.5 USD + 0.0002 USD a GB + 0.05·V. The bid for spot is
// the on-demand price.
class Utility final : public Strategy {
 public:
  explicit Utility(double margin) : margin_(margin) {}

 private:
  void begin(const AcquisitionJob& job, std::size_t pools, nanoseconds longest_move) override {
    job_ = longest_ = job;
    longest_.changeover += longest_move;
    lives_.assign(pools, {});
    recent_.assign(pools, {});
    pace_ = {};
  }

  Placement decide(const MarketState& state) override {
    observe(state);
    const Placement held = held_now(state);
    const Placement on_demand{
        Rental::kOnDemand, held.rental == Rental::kOnDemand ? held.pool : on_demand_pool(state), 0};
    const Goal goal = whole_job(state.job, job_);
    if (!is_urgent(goal, 2, longest_)) return best_of(state, held, on_demand, goal);
    const bool working = state.job.changeover_left == nanoseconds::zero();
    const bool keep = held.rental == Rental::kSpot && (working || !is_urgent(goal, 1, longest_));
    return keep ? held : on_demand;
  }

  void observe(const MarketState& state) {
    const auto most = static_cast<std::size_t>(std::max<std::int64_t>(kLookBack / job_.tick, 1));
    for (std::size_t p = 0; p < lives_.size(); ++p) {
      lives_[p].observe(offers(state.pools[p]));
      recent_[p].observe(offers(state.pools[p]), most);
    }
    pace_.observe(state.job, job_);
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
    const double value = kTimeValue * hour_of_progress(state, goal);
    const double on_demand_price = state.pools[on_demand.pool].on_demand;
    Placement best = held;
    double most = 0;
    if (held.rental == Rental::kSpot) most = value - state.pools[held.pool].spot;
    if (held.rental == Rental::kOnDemand) most = value - on_demand_price;
    if (held.rental != Rental::kIdle) most = std::max(most + margin_ * on_demand_price, 0.0);
    const auto consider = [&](const Placement& other, double worth) {
      if (other.rental == held.rental && other.pool == held.pool) return;
      if (worth > most) best = other, most = worth;
    };
    for (std::size_t p = 0; p < state.pools.size(); ++p)
      if (offers(state.pools[p]))
        consider({Rental::kSpot, p, state.pools[p].on_demand}, spot_worth(state, p, value, goal));
    consider(on_demand, value - on_demand_price);
    return best;
  }

  // U of an instance that would be launched.
  double spot_worth(const MarketState& state, std::size_t pool, double value,
                    const Goal& goal) const {
    const PoolMove move = state.move_to(pool);
    const double life = life_of(pool, goal);
    return value * useful(life, job_.changeover + move.time) - state.pools[pool].spot -
           move.egress / life;
  }

  // L̂, in hours.
  double life_of(std::size_t pool, const Goal& goal) const {
    return lives_[pool].expected_left(goal.ticks_left) * hours_of(job_.tick);
  }

  // η
  static double useful(double life, nanoseconds changeover) {
    return std::max(life - hours_of(changeover), 0.0) / life;
  }

  // What an hour of the work left is expected to cost, USD.
  double hour_of_progress(const MarketState& state, const Goal& goal) const {
    const double left = hours_of(goal.ticks_left * job_.tick), work = hours_of(goal.work_left);
    double on_demand = state.pools[0].on_demand;
    std::vector<PricedProgress> parts;
    for (std::size_t p = 0; p < state.pools.size(); ++p) {
      on_demand = std::min(on_demand, state.pools[p].on_demand);
      const double useful_share = useful(life_of(p, goal), job_.changeover);
      const double hours = recent_[p].share() * left * useful_share;
      if (hours > 0) parts.push_back({state.pools[p].spot / useful_share, hours});
    }
    std::stable_sort(
        parts.begin(), parts.end(),
        [](const PricedProgress& a, const PricedProgress& b) { return a.price < b.price; });
    double cost = 0, rest = (1 - pace_.on_demand_share(job_)) * work;
    const double dear = work - rest;
    for (const PricedProgress& part : parts) {
      const double hours = std::min(part.hours, rest);
      cost += hours * part.price;
      rest -= hours;
    }
    return (cost + (dear + rest) * on_demand) / work;
  }

  double margin_;
  AcquisitionJob job_{}, longest_{};  // and with the longest changeover that there can be
  std::vector<NelsonAalen> lives_;    // by pool
  std::vector<RecentSpot> recent_;    // by pool
  Pace pace_;
};

}  // namespace

std::unique_ptr<Strategy> make_utility(std::string_view argument) {
  return std::make_unique<Utility>(read_share(argument));
}

}  // namespace policies
