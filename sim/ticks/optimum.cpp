#include "sim/ticks/optimum.h"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "sim/kernel/check.h"

namespace sim::sweep {
namespace {

constexpr std::int64_t kMostStates = 100'000'000;
constexpr double kMostOfAll = 2e11;  // steps of the programme: minutes
constexpr double kNever = std::numeric_limits<double>::infinity();

// Least costs by u, for one thing held at one tick. A cost is a sum of prices an hour, one for each
// tick billed, in nano-dollars: whole numbers, exact as doubles (checked) and quick to compare. It
// stands there times a power of two that is more than all ticks, less the ticks of spot.
using Row = Eigen::ArrayXd;
constexpr double kLargestExact = 0x1p53, kRoomForEgress = 4;

// The programme's scale: in ticks and in steps of u.
struct Scale {
  std::int64_t ticks;                               // until the deadline
  std::int64_t free;                                // the longest that is free when EC2 ends it
  std::int64_t idle, changeover, checkpoint, most;  // steps of u; most: that can be lost
  Duration step;
};

// The most ticks after which EC2 still takes an instance without charge.
std::int64_t free_ticks(const TickJob& job) {
  if (!job.billing) return 0;
  if (*job.billing != market::Billing::kPerSecond)
    throw std::invalid_argument("there is no exact optimum for billing by the hour");
  std::int64_t ticks = 0;
  while (market::is_free((ticks + 1) * job.tick, market::Ended::kByEc2)) ++ticks;
  return ticks;
}

// The highest price of an hour in any pool.
double dearest_of(const TickJob& job, const Pools& pools) {
  market::Usd dearest;
  for (const PoolWindow& pool : pools.pools) {
    dearest = std::max(dearest, on_demand_price(pool, job));
    for (std::size_t t = 0; t < pool.spot.available.size(); ++t)
      if (pool.spot.available[t] > 0) dearest = std::max(dearest, spot_price(pool, job, t));
  }
  return static_cast<double>(dearest.nano);
}

void check_size(const Scale& s, std::int64_t rows, std::size_t pools, double dearest) {
  if (s.most > kMostStates / rows)
    throw std::length_error(
        "tick, changeover, moves and checkpoint cost have no common divisor large enough for an "
        "exact optimum");
  const auto ticks = static_cast<double>(s.ticks), free = static_cast<double>(s.free);
  const double each =
      static_cast<double>(rows) * static_cast<double>(std::max<std::int64_t>(s.most, 0)) +
      static_cast<double>(pools) * free * free;
  if (ticks * each > kMostOfAll)
    throw std::length_error("the tick is too short for an exact optimum of so long a deadline");
  if (dearest * ticks >= kLargestExact)
    throw std::length_error("the prices are too high for an exact optimum in so many ticks");
}

// Throws std::length_error.
Scale scale_of(const TickJob& job, const Pools& pools) {
  std::int64_t step =
      std::gcd(std::gcd(job.tick.count(), job.changeover.count()), job.checkpoint_cost.count());
  for (const PoolMove& move : pools.moves) step = std::gcd(step, move.time.count());
  Scale s{.ticks = job.deadline / job.tick,
          .free = free_ticks(job),
          .idle = job.tick.count() / step,
          .changeover = job.changeover.count() / step,
          .checkpoint = job.checkpoint_cost.count() / step,
          .step = Duration(step)};
  const Duration slack = s.ticks * job.tick - job.work + 1ms;
  s.most = slack < Duration::zero() ? -1 : slack / s.step;
  const auto rows = static_cast<std::int64_t>(pools.pools.size()) * (5 + s.free);
  check_size(s, rows, pools.pools.size(), dearest_of(job, pools));
  return s;
}

// to[u + shift] = min(to[u + shift], from[u] + price)
void relax(Row& to, const Row& from, std::int64_t shift, double price) {
  const std::int64_t n = std::max<std::int64_t>(to.size() - shift, 0);
  to.tail(n) = to.tail(n).min(from.head(n) + price);
}

// What can be held, at its price an hour in each tick; kNever where it is not there.
struct Offer {
  std::size_t pool;
  Eigen::ArrayXd price;
  Row held;
};

struct Offers {
  std::vector<Offer> all;
  double unit = 1;  // what costs stand times; 1 where there is no room for the ticks of spot
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

// True when an instance that starts in tick t can have EC2 take it `length` ticks later: the pool
// has spot until then, and then none, or none for a bid that was enough until then.
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
  std::int64_t steps;
  double cost;
};

class Programme {
 public:
  Programme(const TickJob& job, const Pools& world)
      : job_(job), world_(world), scale_(scale_of(job, world)), pools_(world.pools.size()) {
    if (scale_.most < 0) return;
    auto offers = offers_of(job, world, scale_);
    offers_ = std::move(offers.all), unit_ = offers.unit;
    idle_.assign(pools_, Row::Constant(scale_.most + 1, kNever));
    left_ = moved_ = idle_;
    for (Row& row : idle_) row[0] = 0;
    const Row nowhere = Row::Constant(scale_.most + 1, kNever);
    free_.assign(pools_, std::vector<Row>(static_cast<std::size_t>(scale_.free + 1), nowhere));
    const double ticks_an_hour =
        static_cast<double>(Duration(1h).count()) / static_cast<double>(job.tick.count());
    for (const PoolMove& move : world.moves) {
      const double cost = std::round(static_cast<double>(move.egress.nano) * ticks_an_hour);
      tolls_.push_back({move.time / scale_.step, cost * unit_});
    }
  }

  std::optional<Optimum> solve() {
    double best = kNever;
    for (std::int64_t t = 0; t < scale_.ticks && scale_.most >= 0; ++t) {
      leave(t);
      move();
      start_and_pay(t);
      start_free(t);
      best = std::min(best, least_done(t + 1));
    }
    if (best == kNever) return std::nullopt;
    const double cost = std::ceil(best / unit_);
    Optimum found{market::charge(market::Usd{std::llround(cost)}, job_.tick), {}};
    if (unit_ > 1) found.spot_ticks = std::llround(cost * unit_ - best);
    return found;
  }

 private:
  // Holding nothing, with the data in a pool: since before, or since now, with a checkpoint. A
  // pool's rows are gone through once each, in one expression: that is most of the programme's
  // time.
  void leave(std::int64_t t) {
    const std::int64_t n = std::max<std::int64_t>(scale_.most + 1 - scale_.checkpoint, 0);
    for (std::size_t r = 0; r < pools_; ++r) {
      const Row &spot = offers_[2 * r].held, &on_demand = offers_[2 * r + 1].held;
      Row &idle = idle_[r], &left = left_[r];
      left.head(left.size() - n) = idle.head(idle.size() - n);
      left.tail(n) = idle.tail(n).min(spot.head(n)).min(on_demand.head(n));
      if (scale_.free > 0) leave_free(r, t);
      const std::int64_t later = std::max<std::int64_t>(idle.size() - scale_.idle, 0);
      idle.head(idle.size() - later) = kNever;
      idle.tail(later) = left.head(later);
    }
  }

  void leave_free(std::size_t pool, std::int64_t t) {
    Row& taken = free_until(pool, t);
    taken.head(states_done(t)) = kNever;  // who is done ends the instance, and pays
    relax(left_[pool], taken, scale_.checkpoint, 0);
    taken = kNever;
  }

  void move() {
    for (std::size_t to = 0; pools_ > 1 && to < pools_; ++to) {
      moved_[to] = left_[to];
      for (std::size_t from = 0; from < pools_; ++from)
        if (from != to) {
          const Toll& toll = tolls_[from * pools_ + to];
          relax(moved_[to], left_[from], toll.steps, toll.cost);
        }
    }
  }

  void start_and_pay(std::int64_t t) {
    const std::int64_t n = std::max<std::int64_t>(scale_.most + 1 - scale_.changeover, 0);
    for (Offer& offer : offers_) {
      const Row& from = pools_ > 1 ? moved_[offer.pool] : left_[offer.pool];
      const double price = offer.price[t];
      if (price == kNever) {
        offer.held = kNever;
        continue;
      }
      offer.held.head(offer.held.size() - n) += price;
      offer.held.tail(n) = offer.held.tail(n).min(from.head(n)) + price;
    }
  }

  // Instances that EC2 will take before they cost anything, by the tick in which it does.
  void start_free(std::int64_t t) {
    for (std::size_t to = 0; to < pools_; ++to) {
      for (std::int64_t length = 1; length <= scale_.free; ++length)
        if (ends_by_ec2(world_.pools[to], job_, t, length)) start_free(to, t, length);
      if (unit_ > 1 && scale_.free > 0)
        for (Row& row : free_[to]) row -= 1;
    }
  }

  // The data has moved only once it is there.
  void start_free(std::size_t to, std::int64_t t, std::int64_t length) {
    for (std::size_t from = 0; from < pools_; ++from) {
      const Toll& toll = tolls_[from * pools_ + to];
      const std::int64_t idle = scale_.changeover + toll.steps;
      if (idle <= length * scale_.idle)
        relax(free_until(to, t + length), left_[from], idle, toll.cost);
    }
  }

  Row& free_until(std::size_t pool, std::int64_t t) {
    return free_[pool][static_cast<std::size_t>(t % (scale_.free + 1))];
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
    // What is left of the last tick is not billed. Earlier ends were found a tick ago.
    const double price = std::ceil(offer.price[t - 1] / unit_);
    double best = kNever;
    for (std::int64_t u = std::max<std::int64_t>(end - scale_.idle - 1, 0); u < end; ++u) {
      const Duration rest =
          std::clamp(t * job_.tick - job_.work - u * scale_.step, Duration{}, job_.tick);
      const double share =
          static_cast<double>(rest.count()) / static_cast<double>(job_.tick.count());
      best = std::min(best, offer.held[u] - std::round(price * share) * unit_);
    }
    return best;
  }

  const TickJob& job_;
  const Pools& world_;
  const Scale scale_;
  const std::size_t pools_;
  std::vector<Offer> offers_;  // of each pool spot and on-demand
  double unit_ = 1;
  std::vector<Row> idle_, left_, moved_;  // by pool; moved: of several
  std::vector<std::vector<Row>> free_;    // by pool and by the tick in which EC2 takes it
  std::vector<Toll> tolls_;               // by from · pools + to
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

}  // namespace sim::sweep
