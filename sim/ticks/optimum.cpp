#include "sim/ticks/optimum.h"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/kernel/check.h"
#include "sim/ticks/optimum_scale.h"

namespace sim::ticks {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Least costs by u, for one holding at one tick. A cost is the sum of hourly prices of the billed
// ticks, in nano-dollars: whole numbers, which doubles represent exactly (checked) and compare
// fast. It is multiplied by a power of two above the number of ticks, minus the ticks of spot.
using Row = Eigen::ArrayXd;
constexpr double kRoomForEgress = 4;

// to[u + shift] = min(to[u + shift], from[u] + price)
void relax(Row& to, const Row& from, std::int64_t shift, double price) {
  const std::int64_t n = std::max<std::int64_t>(to.size() - shift, 0);
  to.tail(n) = to.tail(n).min(from.head(n) + price);
}

// A possible holding, with its hourly price in each tick; kNever if it is unavailable.
struct Offer {
  std::size_t pool;
  Eigen::ArrayXd price;
  Row held;
};

struct Offers {
  std::vector<Offer> all;
  double unit = 1;  // factor of costs; 1 if ticks of spot do not fit
};

Offers offers_of(const TickJob& job, const Pools& pools, const Scale& s) {
  std::vector<Offer> offers;
  const Row nowhere = Row::Constant(s.most + 1, kNever);
  for (std::size_t p = 0; p < pools.pools.size(); ++p) {
    const PoolWindow& pool = pools.pools[p];
    Eigen::ArrayXd spot = Eigen::ArrayXd::Constant(s.ticks, kNever);
    for (std::int64_t t = 0; t < std::min(s.ticks, std::ssize(pool.spot.available)); ++t) {
      const auto tick = static_cast<std::size_t>(t);
      if (!pool.spot.available[tick]) continue;
      spot[t] = static_cast<double>(spot_price(pool, job, tick).nano);
    }
    const auto every_tick = static_cast<double>(on_demand_price(pool, job).nano);
    offers.push_back({p, std::move(spot), nowhere});
    offers.push_back({p, Eigen::ArrayXd::Constant(s.ticks, every_tick), nowhere});
  }
  const double most = dearest_of(job, pools) * static_cast<double>(s.ticks);
  const double unit = std::exp2(std::bit_width(static_cast<std::uint64_t>(s.ticks)));
  if (most * unit * kRoomForEgress >= kLargestExact) return {std::move(offers)};
  for (std::size_t i = 0; i < offers.size(); ++i)
    offers[i].price = offers[i].price * unit - (i % 2 == 0 ? 1 : 0);
  return {std::move(offers), unit};
}

// True if EC2 can interrupt an instance that starts in tick t after `length` ticks. The pool must
// have spot until then and none afterwards, or none for a bid that sufficed until then.
bool ends_by_ec2(const PoolWindow& pool, const TickJob& job, std::int64_t t, std::int64_t length) {
  const auto& available = pool.spot.available;
  market::Usd most{};
  for (std::int64_t i = t; i < t + length; ++i) {
    if (i >= std::ssize(available) || !available[static_cast<std::size_t>(i)]) return false;
    most = std::max(most, spot_price(pool, job, static_cast<std::size_t>(i)));
  }
  const auto end = static_cast<std::size_t>(t + length);
  return end >= available.size() || !available[end] || spot_price(pool, job, end) > most;
}

// A move's time in steps of u, and its cost in the unit of the rows.
struct Toll {
  std::int64_t steps = 0;
  double cost = 0;
};

class Programme {
 public:
  Programme(const TickJob& job, const Pools& world)
      : job_(job), world_(world), scale_(scale_of(job, world)), pools_(world.pools.size()) {
    if (scale_.most < 0) return;
    auto offers = offers_of(job, world, scale_);
    offers_ = std::move(offers.all), unit_ = offers.unit;
    const Row nowhere = Row::Constant(scale_.most + 1, kNever);
    idle_.assign(scale_.owed.size(), Rows(pools_, nowhere));
    nowhere_ = nowhere;
    if (pools_ == 1) idle_[0][0][0] = 0;
    past_.assign(static_cast<std::size_t>(scale_.brief + 1), idle_);
    from_.assign(pools_, nowhere);
    moved_ = from_;
    const double ticks_an_hour =
        static_cast<double>(Duration(1h).count()) / static_cast<double>(job.tick.count());
    for (const PoolMove& move : world.moves) {
      const double cost = std::floor(static_cast<double>(move.egress.nano) * ticks_an_hour);
      tolls_.push_back({move.time / scale_.step, cost * unit_});
    }
    for (std::size_t r = 0; r < pools_; ++r) tolls_[r * pools_ + r] = {};
  }

  std::optional<Optimum> solve() {
    double best = kNever;
    for (std::int64_t t = 0; t < scale_.ticks && scale_.most >= 0; ++t) {
      leave(t);
      for (std::size_t to = 0; to < pools_; ++to) arrive(t, to);
      wait(t);
      move(t);
      start_and_pay(t);
      best = std::min(best, least_done(t + 1));
    }
    if (best == kNever) return std::nullopt;
    const double cost = std::ceil(best / unit_);
    Optimum found{market::charge(market::Usd{std::llround(cost)}, job_.tick), {}};
    if (unit_ > 1) found.spot_ticks = std::llround(cost * unit_ - best);
    return found;
  }

 private:
  using Rows = std::vector<Row>;  // by pool

  // Holding nothing at tick t with the data in a pool, by the owed amount (Scale::owed). An owed
  // amount already counts as lost in u.
  std::vector<Rows>& left(std::int64_t t) {
    return past_[static_cast<std::size_t>(t % (scale_.brief + 1))];
  }

  // A job that leaves an instance owes a checkpoint to the next instance. An interrupted job has
  // saved.
  void leave(std::int64_t t) {
    std::vector<Rows>& left = this->left(t);
    const std::int64_t n = std::max<std::int64_t>(scale_.most + 1 - scale_.checkpoint, 0);
    for (std::size_t r = 0; r < pools_; ++r) {
      const Row &spot = offers_[2 * r].held, &on_demand = offers_[2 * r + 1].held;
      for (std::size_t owed = 0; owed + 1 < left.size(); ++owed) left[owed][r] = idle_[owed][r];
      const Row& idle = idle_.back()[r];
      Row& all = left.back()[r];
      all.head(all.size() - n) = idle.head(idle.size() - n);
      const bool both = left.size() == 1 || offers_[2 * r].price[t] != kNever;
      if (both) {
        all.tail(n) = idle.tail(n).min(spot.head(n)).min(on_demand.head(n));
      } else {
        all.tail(n) = idle.tail(n).min(on_demand.head(n));
        relax(left.front()[r], spot, scale_.checkpoint, 0);
      }
    }
  }

  // Instances that end at tick t after lives of at most scale_.brief ticks. An instance that EC2
  // takes in its first hour is free. One that ends before it has computed for as long as a
  // checkpoint takes may have nothing to save: it has moved the data or paid what was owed.
  void arrive(std::int64_t t, std::size_t to) {
    const Offer &spot = offers_[2 * to], &on_demand = offers_[2 * to + 1];
    double spot_cost = 0, on_demand_cost = 0;
    for (std::int64_t length = 1; length <= std::min(scale_.brief, t); ++length) {
      spot_cost += spot.price[t - length];
      on_demand_cost += on_demand.price[t - length];
      Life life{.to = to, .end = t, .length = length};
      life.gone = spot.price[t] == kNever;
      life.free = length <= scale_.free && ends_by_ec2(world_.pools[to], job_, t - length, length);
      life.spot = life.free ? (unit_ > 1 ? -static_cast<double>(length) : 0) : spot_cost;
      life.on_demand = on_demand_cost;
      if (!life.free && scale_.checkpoint == 0) continue;
      for (std::size_t from = 0; from < pools_; ++from)
        for (std::size_t owed = 0; owed < scale_.owed.size(); ++owed)
          arrive(life, left(t - length)[owed][from], owed, tolls_[from * pools_ + to]);
      if (pools_ > 1) arrive(life, before_any(t - length), 0, {});
    }
  }

  struct Life {
    std::size_t to;
    std::int64_t end, length;
    bool gone = false, free = false;  // no spot at its end; interrupted by EC2 without charge
    double spot = 0, on_demand = 0;   // its costs
  };

  void arrive(const Life& life, const Row& before, std::size_t owed, const Toll& toll) {
    const std::int64_t idle = scale_.changeover + toll.steps;
    // Computing, or writing the owed checkpoint.
    const std::int64_t runs = life.length * scale_.tick - idle;
    if (runs < 0) return;  // the data does not move
    const std::int64_t computes = std::max<std::int64_t>(runs - scale_.owed[owed], 0);
    const std::int64_t lost = std::min(computes, scale_.checkpoint);
    const bool saves = computes >= scale_.checkpoint;
    double cost = kNever;
    if (life.free || computes == 0 || (life.gone && !saves)) cost = life.spot;
    if (computes == 0) cost = std::min(cost, life.on_demand);
    if (cost == kNever) return;
    const auto still = std::max<std::int64_t>(scale_.owed[owed] - runs, 0);
    const auto then = std::ranges::lower_bound(scale_.owed, still) - scale_.owed.begin();
    Row& after = left(life.end)[static_cast<std::size_t>(then)][life.to];
    if (life.free && saves)
      survive(after, before, idle + lost, cost + toll.cost, life);
    else
      relax(after, before, idle + lost, cost + toll.cost);
  }

  // The only state at tick t without an earlier instance, so the data is nowhere. One pool has it
  // among its rows.
  const Row& before_any(std::int64_t t) {
    nowhere_ = kNever;
    if (t * scale_.tick <= scale_.most) nowhere_[t * scale_.tick] = 0;
    return nowhere_;
  }

  // Relaxes with instances on which the job must not be done, because only instances that EC2
  // interrupts are free.
  void survive(Row& to, const Row& from, std::int64_t shift, double cost, const Life& life) const {
    const std::int64_t done = states_done(life.end), all = life.length * scale_.tick;
    for (std::int64_t u = 0; u < std::min(done - shift, from.size()); ++u) {
      const std::int64_t late = std::min(delayed(u + shift, life.end), u + all);
      if (late >= 0 && late < to.size()) to[late] = std::min(to[late], from[u] + cost);
    }
    const std::int64_t first = std::max<std::int64_t>(done - shift, 0);
    const std::int64_t n = std::max<std::int64_t>(to.size() - shift - first, 0);
    to.tail(n) = to.tail(n).min(from.segment(first, n) + cost);
  }

  static constexpr std::int64_t kDone = -1;

  // The state of a job that would be done at tick t but must not be. kDone: nothing prevents it.
  // The job saves several times, or a notice stops it, so that an instant's work remains.
  std::int64_t delayed(std::int64_t u, std::int64_t t) const {
    const std::int64_t done = states_done(t);
    const Duration idle = t * job_.tick - job_.work - u * scale_.step;
    const Duration stands =
        scale_.checkpoint > 0 ? Duration(idle.count() % job_.checkpoint_cost.count()) : idle;
    if (!job_.checkpoint_policy.empty() && job_.notice > Duration::zero() && stands <= job_.notice)
      return done - 1;
    if (scale_.checkpoint == 0) return kDone;
    return done + scale_.checkpoint - 1 - (done - 1 - u) % scale_.checkpoint;
  }

  void wait(std::int64_t t) {
    const std::int64_t later = std::max<std::int64_t>(scale_.most + 1 - scale_.tick, 0);
    for (std::size_t owed = 0; owed < idle_.size(); ++owed)
      for (std::size_t r = 0; r < pools_; ++r) {
        Row& idle = idle_[owed][r];
        idle.head(idle.size() - later) = kNever;
        idle.tail(later) = left(t)[owed][r].head(later);
      }
  }

  void move(std::int64_t t) {
    const std::vector<Rows>& left = this->left(t);
    for (std::size_t r = 0; r < pools_ && left.size() > 1; ++r) {
      from_[r] = left[0][r];
      for (std::size_t owed = 1; owed < left.size(); ++owed) relax(from_[r], left[owed][r], 0, 0);
    }
    const Rows& start = left.size() > 1 ? from_ : left.front();
    for (std::size_t to = 0; pools_ > 1 && to < pools_; ++to) {
      moved_[to] = start[to];
      if (t * scale_.tick <= scale_.most)
        moved_[to][t * scale_.tick] = std::min(moved_[to][t * scale_.tick], 0.0);
      for (std::size_t from = 0; from < pools_; ++from)
        if (from != to) {
          const Toll& toll = tolls_[from * pools_ + to];
          relax(moved_[to], start[from], toll.steps, toll.cost);
        }
    }
    starts_ = pools_ > 1 ? &moved_ : &start;
  }

  void start_and_pay(std::int64_t t) {
    const std::int64_t n = std::max<std::int64_t>(scale_.most + 1 - scale_.changeover, 0);
    for (Offer& offer : offers_) {
      const Row& from = (*starts_)[offer.pool];
      const double price = offer.price[t];
      if (price == kNever) {
        offer.held = kNever;
        continue;
      }
      offer.held.head(offer.held.size() - n) += price;
      offer.held.tail(n) = offer.held.tail(n).min(from.head(n)) + price;
    }
  }

  // How many states, from u = 0, have the work done after `t` ticks: u ≤ t·g − C + 1 ms.
  std::int64_t states_done(std::int64_t t) const {
    const Duration lost = t * job_.tick - job_.work + 1ms;
    return lost < Duration::zero() ? 0 : std::min(lost / scale_.step, scale_.most) + 1;
  }

  double least_done(std::int64_t t) const {
    const std::int64_t end = states_done(t);
    double best = kNever;
    for (const Offer& offer : offers_)
      if (end > 0) best = std::min(best, least_done(offer, t, end));
    return best;
  }

  double least_done(const Offer& offer, std::int64_t t, std::int64_t end) const {
    if (!job_.billing) return offer.held.head(end).minCoeff();
    if (offer.price[t - 1] == kNever) return kNever;
    // The rest of the last tick is not billed. Earlier ends were found one tick ago.
    const auto price = static_cast<__int128>(std::ceil(offer.price[t - 1] / unit_));
    double best = kNever;
    for (std::int64_t u = std::max<std::int64_t>(end - scale_.tick - 1, 0); u < end; ++u) {
      const Duration rest =
          std::clamp(t * job_.tick - job_.work - u * scale_.step, Duration{}, job_.tick);
      const __int128 unbilled =
          (price * rest.count() + job_.tick.count() - 1) / job_.tick.count();  // rounded up
      best = std::min(best, offer.held[u] - static_cast<double>(unbilled) * unit_);
    }
    return best;
  }

  const TickJob& job_;
  const Pools& world_;
  const Scale scale_;
  const std::size_t pools_;
  std::vector<Offer> offers_;  // of each pool spot and on-demand
  double unit_ = 1;
  std::vector<Rows> idle_;               // left(t) one tick later, by owed amount
  std::vector<std::vector<Rows>> past_;  // left(t) of the last ticks
  Row nowhere_;                          // before_any()
  Rows from_, moved_;                    // for all owed amounts; after a move
  const Rows* starts_ = nullptr;         // the state from which instances start in this tick
  std::vector<Toll> tolls_;              // by from · pools + to
};

}  // namespace

std::optional<market::Usd> least_cost(const TickJob& job, const SpotWindow& window) {
  return least_cost(job, Pools{{{.name = "", .spot = window}}, {{}}});
}

std::optional<market::Usd> least_cost(const TickJob& job, const Pools& pools) {
  const auto found = optimum(job, pools);
  return found ? std::optional(found->cost) : std::nullopt;
}

std::optional<Optimum> optimum(const TickJob& job, const Pools& pools) {
  SIM_CHECK(pools.moves.size() == pools.pools.size() * pools.pools.size());
  return Programme(job, pools).solve();
}

void check_solvable(const TickJob& job, const Pools& pools) { scale_of(job, pools); }

}  // namespace sim::ticks
