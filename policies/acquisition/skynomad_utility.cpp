// SkyNomad's own policy (Li et al., NSDI'27) as its artifact implements it: unified_cost_model.py,
// and for V100s unified_cost_model_v_variants.py. The policy in utility.cpp has the same idea, but
// not the peculiarities of the artifact.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "policies/acquisition/skynomad.h"
#include "policies/acquisition/skynomad_lives.h"

namespace policies {
namespace {

using Source = SkyNomadLives::Source;

struct SkyNomadSettings {
  double longest_life;    // hours: no prediction is longer
  bool value_by_pace;     // V by how far the job is behind, else by what it is expected to cost
  bool watches_capacity;  // --virtual-availability
};

constexpr double kValueOverCost = 1.2;
constexpr double kPaceWindow = 10 * 3600;  // seconds
constexpr std::int64_t kProbeTicks = 6;
constexpr double kProbeSeconds = 60;
constexpr double kEgressPerGb = 0.02;
// What another choice must be worth more than what is held, USD an hour.
constexpr double kMargin = 0.5, kMarginPerGb = 0.0002, kMarginOfValue = 0.05;

class SkyNomadUtility final : public SkyNomadStrategy {
 public:
  explicit SkyNomadUtility(const SkyNomadSettings& settings) : settings_(settings) {}

 private:
  struct Option {
    double worth;
    Held what;
  };

  void reset() override {
    lives_.assign(pools(), SkyNomadLives(tick(), settings_.watches_capacity));
    next_probe_.assign(pools(), 0);
    probing_.clear();
    just_failed_.clear();
    running_.reset();
    left_ = false;
    origin_.reset();
    progress_.clear();
    watched_.assign(pools(), std::nullopt);
    probe_age_.assign(pools(), 0);
    probe_cost_.assign(pools(), 0);
    bill_.clear();
  }

  void step() override {
    progress_.resize(static_cast<std::size_t>(market().job.tick) + 1, done());
    note_preemption();
    count_probes();
    for (SkyNomadLives& life : lives_) life.observe(now());
    const Held current = held();
    if (!current.is(Rental::kIdle)) origin_ = current.pool;
    const double value = value_of_hour();
    const double held_worth = worth_of_held(current, value);
    std::optional<std::size_t> primary;
    if (!current.is(Rental::kIdle)) primary = current.pool;
    for (const Option& option : options(current, value, held_worth)) {
      if (option.worth <= held_worth) break;
      const bool same = option.what.rental == current.rental &&
                        (current.is(Rental::kIdle) || option.what.pool == current.pool);
      if (same) continue;
      if (option.what.is(Rental::kSpot) && !launch_spot(option.what.pool)) continue;
      if (option.what.is(Rental::kOnDemand)) launch_on_demand(option.what.pool);
      // Nothing, where that is worth more than what is held: which is held on all the same.
      primary.reset();
      if (!option.what.is(Rental::kIdle)) primary = option.what.pool;
      origin_ = primary;
      if (primary && !current.is(Rental::kIdle)) ended_by_choice(current.pool);
      break;
    }
    probe_others(primary);
    note_bill();
  }

  // ---- what is seen

  void note_preemption() {
    if (!running_ || (held().is(Rental::kSpot) && held().pool == *running_)) return;
    lives_[*running_].end(!left_, now());
    running_.reset();
    left_ = false;
  }

  bool launch_spot(std::size_t pool) {
    if (probing_.erase(pool) > 0) {
      lives_[pool].end(false, now());
      lives_[pool].set_probe_age(std::nullopt);
    }
    if (!try_spot(pool)) {
      just_failed_.insert(pool);
      lives_[pool].failed();
      watch(pool, false);
      return false;
    }
    lives_[pool].start(Source::kSpot, now());
    running_ = pool;
    left_ = false;
    just_failed_.erase(pool);
    lives_[pool].set_spot_age(0);
    lives_[pool].set_probe_age(std::nullopt);
    return true;
  }

  void ended_by_choice(std::size_t pool) {
    if (running_ == pool) left_ = true;
    watch(pool, false);
  }

  void probe_others(std::optional<std::size_t> primary) {
    const std::int64_t t = market().job.tick;
    for (std::size_t p = 0; p < pools(); ++p) {
      if (p == primary || probing_.contains(p) || just_failed_.contains(p)) continue;
      if (t < next_probe_[p]) continue;
      look_at(p);
      next_probe_[p] = t + kProbeTicks;
    }
    just_failed_.clear();
  }

  void look_at(std::size_t pool) {
    if (probe(pool)) {
      lives_[pool].start(Source::kProbe, now());
      probing_.insert(pool);
      lives_[pool].set_probe_age(0);
      watch(pool, true);
    } else {
      lives_[pool].failed();
      lives_[pool].set_probe_age(std::nullopt);
      watch(pool, false);
    }
  }

  // Capacity that is seen without an instance of the job's is a life, too.
  void watch(std::size_t pool, bool there) {
    if (!settings_.watches_capacity || running_ == pool) return;
    std::optional<bool>& before = watched_[pool];
    if (there && before != true) lives_[pool].start(Source::kProbe, now());
    if (!there && before == true) lives_[pool].end(true, now());
    before = there;
  }

  // What the tick's probes will have cost: by that the artifact knows how long it has probed.
  void note_bill() {
    bill_.clear();
    for (const std::size_t p : probed()) {
      const PoolQuote& quote = market().pools[p];
      const bool on_demand = held().is(Rental::kOnDemand) && held().pool == p;
      bill_.emplace_back(
          p, on_demand ? quote.on_demand * tick() / 3600 : quote.spot * kProbeSeconds / 3600);
    }
  }

  void count_probes() {
    for (const auto& [pool, cost] : bill_) {
      const double before = probe_cost_[pool];
      probe_cost_[pool] += cost;
      const double more = probe_cost_[pool] - before;
      if (more > 1e-9 && seen_price(pool) > 0) probe_age_[pool] += more / seen_price(pool);
    }
    bill_.clear();
  }

  // ---- what it is worth

  // L̂, in hours.
  double life_of(std::size_t pool) const {
    double age = lives_[pool].age(now()).value_or(0);
    if (settings_.watches_capacity) age = std::max(age, probe_age_[pool]);
    double left = std::min(lives_[pool].expected_left(age, now()), settings_.longest_life);
    const double time = deadline() - now();
    if (time > 0) left = std::min(left, time / 3600);
    return left;
  }

  double cheapest_on_demand() const {
    double least = market().pools.front().on_demand;
    for (const PoolQuote& quote : market().pools) least = std::min(least, quote.on_demand);
    return least;
  }

  double value_of_hour() const {
    const double time = deadline() - now();
    if (time <= 0) return std::numeric_limits<double>::infinity();
    if (!settings_.value_by_pace) return expected_cost(time) * kValueOverCost;
    double cheapest = seen_price(0);
    for (std::size_t p = 0; p < pools(); ++p) cheapest = std::min(cheapest, seen_price(p));
    const double ratio = (work_left() * deadline()) / (time * work());
    return std::max(cheapest_on_demand() * ratio, cheapest);
  }

  struct Part {
    double price, seconds;
  };

  // What an hour of the work left is expected to cost (_estimate_reference_cost).
  double expected_cost(double time) const {
    const double on_demand = cheapest_on_demand(), left = work_left();
    const double share = std::max(0.0, std::min(1.0, on_demand_share()));
    double dear = share * left, cost = dear / 3600 * on_demand;
    const double target = std::max(0.0, left - dear);
    double assigned = 0, spot_cost = 0;
    int used = 0;
    for (const Part& part : spot_parts(time)) {
      if (assigned >= target) break;
      const double here = std::min(part.seconds, target - assigned);
      if (here <= 0) continue;
      ++used;
      spot_cost += (here / 3600) * part.price;
      assigned += here;
    }
    if (assigned < target) {
      const double rest = target - assigned;
      dear += rest;
      cost += (rest / 3600) * on_demand;
    }
    cost += spot_cost;
    const double hours = std::max(left / 3600, 1e-6);
    double an_hour = cost / hours;
    const int regions = used + (dear > 0 ? 1 : 0);
    if (job().gigabytes > 0 && regions > 1)
      an_hour += (regions - 1) * job().gigabytes * kEgressPerGb / hours;
    return an_hour;
  }

  // Of the time left, what each pool is expected to give, the cheapest first.
  std::vector<Part> spot_parts(double time) const {
    const double overhead = restart() / 3600;
    std::vector<Part> parts;
    for (std::size_t p = 0; p < pools(); ++p) {
      const double life = life_of(p);
      const double rate = life > overhead ? (life - overhead) / life : 0;
      const double seconds = lives_[p].availability(now()) * time * rate;
      if (seconds <= 0) continue;
      const double useful = std::max(life - overhead, 1e-6);
      parts.push_back({seen_price(p) * life / useful, seconds});
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.price < b.price; });
    return parts;
  }

  // Of the work left, by where the line of the present pace meets that of working to the deadline.
  double on_demand_share() const {
    const double t = now(), p = done();
    if (t <= 0) return 0;
    if (std::abs(p - t) < 1e-6) return 0.5;
    const double pace = recent_pace();
    if (std::abs(pace - 1) < 1e-6) return 0;
    const double meet = (pace * t - p + (work() + 2 * restart() - deadline())) / (pace - 1);
    if (meet >= deadline()) return 0;
    if (meet <= 0) return 1;
    return std::max(0.0, std::min(1.0, (deadline() - meet) / (deadline() - t)));
  }

  double recent_pace() const {
    if (now() < 600) return now() > 0 ? done() / now() : 0;
    const double from = std::max(0.0, now() - kPaceWindow);
    const auto first = static_cast<std::size_t>(from / tick());
    const double before = first > 0 ? progress_[first - 1] : 0;
    const double time = now() - from;
    const double pace = time > 0 ? (done() - before) / time : 0;
    return std::max(0.0, std::min(1.0, pace));
  }

  double spot_worth(std::size_t pool, double value, bool running) const {
    const double life = life_of(pool);
    const double useful = std::max(0.0, running ? life : life - restart() / 3600);
    if (useful <= 0) return -std::numeric_limits<double>::infinity();
    return (value * useful - seen_price(pool) * life) / life;
  }

  double worth_of_held(const Held& current, double value) const {
    if (current.is(Rental::kSpot)) return spot_worth(current.pool, value, true);
    if (current.is(Rental::kOnDemand)) return value - market().pools[current.pool].on_demand;
    return 0;
  }

  PoolMove move_to(std::size_t pool) const {
    if (!origin_ || *origin_ == pool) return {};
    return market().moves[*origin_ * pools() + pool];
  }

  // All that is worth something, the best first.
  std::vector<Option> options(const Held& current, double value, double held_worth) const {
    const bool idle = current.is(Rental::kIdle);
    const double margin = kMargin + kMarginPerGb * job().gigabytes + kMarginOfValue * value;
    std::vector<Option> all{{0, {}}};
    for (std::size_t p = 0; p < pools(); ++p) {
      const bool here = !idle && p == current.pool;
      const PoolMove move = move_to(p);
      double worth = spot_worth(p, value, here && current.is(Rental::kSpot));
      worth -= (hours(move.time) * value + move.egress) / std::max(life_of(p), 1e-6);
      if (!(worth >= 0) || (!idle && !here && worth <= held_worth + margin)) continue;
      all.push_back({worth, {Rental::kSpot, p}});
    }
    for (std::size_t p = 0; p < pools(); ++p) {
      const PoolMove move = move_to(p);
      double worth = value - market().pools[p].on_demand;
      if (origin_ && *origin_ != p)
        worth -= (restart() / 3600 + hours(move.time)) * value + move.egress;
      if (worth < 0 || (current.is(Rental::kOnDemand) && p == current.pool)) continue;
      if (!idle && worth <= held_worth + margin) continue;
      all.push_back({worth, {Rental::kOnDemand, p}});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Option& a, const Option& b) { return a.worth > b.worth; });
    return all;
  }

  static double hours(std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) / 3.6e12;
  }

  SkyNomadSettings settings_;
  std::vector<SkyNomadLives> lives_;  // by pool
  std::vector<std::int64_t> next_probe_;
  std::set<std::size_t> probing_;      // whose last probe found capacity
  std::set<std::size_t> just_failed_;  // launches, in this tick
  std::optional<std::size_t> running_, origin_;
  bool left_ = false;             // what runs was left for something else
  std::vector<double> progress_;  // after each tick
  std::vector<std::optional<bool>> watched_;
  std::vector<double> probe_age_, probe_cost_;
  std::vector<std::pair<std::size_t, double>> bill_;
};

}  // namespace

std::unique_ptr<Strategy> make_skynomad(std::string_view) {
  return std::make_unique<SkyNomadUtility>(SkyNomadSettings{2, false, false});
}
std::unique_ptr<Strategy> make_skynomad_v100(std::string_view) {
  return std::make_unique<SkyNomadUtility>(SkyNomadSettings{1e9, true, true});
}

}  // namespace policies
