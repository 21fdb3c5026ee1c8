// Uniform Progress over several regions, as SkyNomad compares itself with it: UP, UP(S), UP(A) and
// UP(AP); sky_spot/strategies/multi_region_*.py of its artifact.
#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <optional>

#include "policies/acquisition/skynomad.h"

namespace policies {
namespace {

constexpr double kWorking = 1e-3;  // a restart that has less left is over

// When to be on spot, on-demand or idle.
class UniformOverPools : public SkyNomadStrategy {
 protected:
  void reset() override { hysteresis_exit_ = false; }

  // What to hold, where spot is taken to be there or not (_compute_request_type).
  Rental request(Rental current, bool spot) {
    hysteresis_exit_ = false;
    Rental wish = spot ? Rental::kSpot : Rental::kIdle;
    if (ahead() < 0) wish = spot ? Rental::kSpot : Rental::kOnDemand;
    const bool on_demand = current == Rental::kOnDemand;
    if (on_demand && (!spot || short_of_leaving() >= 0)) wish = Rental::kOnDemand;
    if (needed(2) > time_left() && current != Rental::kSpot) wish = Rental::kOnDemand;
    if (needed(1) >= time_left()) {
      const bool works = current == Rental::kSpot && restart_left() < kWorking;
      wish = works || (restart() == 0 && spot) ? Rental::kSpot : Rental::kOnDemand;
    }
    if (on_demand && spot && wish == Rental::kOnDemand && short_of_leaving() < 0) {
      hysteresis_exit_ = true;
      return Rental::kSpot;
    }
    return wish;
  }

  // Where spot was asked for and not found.
  void fall_back(std::size_t pool) {
    if (request(Rental::kIdle, false) == Rental::kOnDemand) launch_on_demand(pool);
  }

  bool hysteresis_exit() const { return hysteresis_exit_; }

  // All pools, the one of which the measure is least first, of equals the first listed.
  template <typename Measure>
  std::vector<std::size_t> pools_by(Measure measure) const {
    std::vector<std::size_t> all(pools());
    std::iota(all.begin(), all.end(), 0);
    std::stable_sort(all.begin(), all.end(),
                     [&](std::size_t a, std::size_t b) { return measure(a) < measure(b); });
    return all;
  }

  // Every so many ticks, Python's round().
  std::int64_t ticks_of_minutes(double minutes) const {
    return std::max<std::int64_t>(
        static_cast<std::int64_t>(std::nearbyint(minutes * 60 / std::max(1.0, tick()))), 1);
  }

 private:
  // Of the line from nothing to all of the work at the deadline.
  double ahead() const { return work() - work_left() - now() * work() / deadline(); }
  // Of the line of two restarts later.
  double short_of_leaving() const {
    return (now() + 2 * restart()) * work() / deadline() - (work() - work_left());
  }

  bool hysteresis_exit_ = false;
};

// UP: the first pool that has spot. UP(S) orders them by price, those of the region of the last
// instance last.
class UpByFailover final : public UniformOverPools {
 public:
  explicit UpByFailover(bool eager) : eager_(eager) {}

 private:
  void reset() override {
    UniformOverPools::reset();
    last_.reset();
  }

  void step() override {
    const Held before = held();
    if (!before.is(Rental::kIdle)) last_ = before.pool;
    const Rental wish = request(before.rental, true);
    if (wish == before.rental) return;
    terminate();
    const std::size_t home = before.is(Rental::kIdle) ? leader().value_or(0) : before.pool;
    if (wish == Rental::kOnDemand) return launch_on_demand(home);
    for (const std::size_t pool : order())
      if (try_spot(pool)) return;
    if (!hysteresis_exit()) fall_back(home);
  }

  std::vector<std::size_t> order() {
    const auto& quotes = market().pools;
    std::vector<std::size_t> all =
        pools_by([&](std::size_t pool) { return eager_ ? quotes[pool].spot : 0; });
    if (eager_ && last_)
      std::stable_partition(all.begin(), all.end(), [&](std::size_t pool) {
        return quotes[pool].region != quotes[*last_].region;
      });
    return all;
  }

  bool eager_;
  std::optional<std::size_t> last_;
};

// UP(A): rents in the pool with the largest share of successes among its last five launches and
// probes. It makes at most one probe a tick, and probes each pool every two hours. It leaves a
// working instance for a better one.
class UpByProbes final : public UniformOverPools {
  static constexpr std::size_t kSamples = 5;
  static constexpr double kProbeMinutes = 120, kUnknown = 0.5, kEqual = 1e-6;

  void reset() override {
    UniformOverPools::reset();
    samples_.assign(pools(), {});
    next_probe_.assign(pools(), 0);
    next_sample_.assign(pools(), 0);
    main_.reset();
    every_ = ticks_of_minutes(kProbeMinutes);
  }

  void step() override {
    const std::int64_t t = market().job.tick;
    const bool spot = held().is(Rental::kSpot);
    if (main_ && !(spot && held().pool == *main_)) {
      record(*main_, false);
      main_.reset();
    }
    if (spot) {
      main_ = held().pool;
      if (t >= next_sample_[*main_]) {
        record(*main_, true);
        next_sample_[*main_] = t + every_;
      }
    }
    const Rental wish = request(held().rental, true);
    if (wish == Rental::kOnDemand) return stay_on_demand();
    if (find_spot()) probe_one();
  }

  void stay_on_demand() {
    if (held().is(Rental::kOnDemand)) return;
    launch_on_demand(held().is(Rental::kIdle) ? leader().value_or(0) : held().pool);
    main_.reset();
  }

  // False: there is none.
  bool find_spot() {
    const std::vector<std::size_t> ranked =
        pools_by([this](std::size_t pool) { return -share(pool); });
    if (held().is(Rental::kSpot)) {
      if (share(held().pool) >= share(ranked.front()) - kEqual) return true;
      main_.reset();
    } else if (held().is(Rental::kOnDemand)) {
      main_.reset();
    }
    terminate();
    for (const std::size_t pool : ranked) {
      const bool found = try_spot(pool);
      record(pool, found);
      if (!found) continue;
      main_ = pool;
      next_sample_[pool] = market().job.tick + every_;
      return true;
    }
    if (!hysteresis_exit()) fall_back(leader().value_or(0));
    return false;
  }

  void probe_one() {
    const std::int64_t t = market().job.tick;
    std::optional<std::size_t> due;
    for (std::size_t p = 0; p < pools(); ++p) {
      const bool busy = p == main_ || (held().is(Rental::kSpot) && held().pool == p);
      if (busy || t < next_probe_[p]) continue;
      if (!due || samples_[p].size() < samples_[*due].size()) due = p;
    }
    if (!due) return;
    record(*due, probe(*due));
    next_probe_[*due] = t + every_;
  }

  void record(std::size_t pool, bool success) {
    samples_[pool].push_back(success);
    if (samples_[pool].size() > kSamples) samples_[pool].pop_front();
  }

  double share(std::size_t pool) const {
    const auto& all = samples_[pool];
    if (all.empty()) return kUnknown;
    return static_cast<double>(std::count(all.begin(), all.end(), true)) /
           static_cast<double>(all.size());
  }

  std::vector<std::deque<bool>> samples_;
  std::vector<std::int64_t> next_probe_, next_sample_;
  std::optional<std::size_t> main_;  // of the spot instance that works
  std::int64_t every_ = 1;
};

// UP(AP): rents in the pool with the largest share of successes of all its launches and probes ÷
// price. Every hour it probes all pools that are due. It leaves a working instance for a pool that
// is a tenth better.
class UpByProbesPerPrice final : public UniformOverPools {
  static constexpr double kProbeMinutes = 60, kUnknown = 0.5, kNearly = 0.9;

  void reset() override {
    UniformOverPools::reset();
    successes_.assign(pools(), 0);
    tries_.assign(pools(), 0);
    next_probe_.assign(pools(), 0);
    main_.reset();
    every_ = ticks_of_minutes(kProbeMinutes);
  }

  void step() override {
    const std::int64_t t = market().job.tick;
    if (main_ && !(held().is(Rental::kSpot) && held().pool == *main_)) {
      record(*main_, false);
      main_.reset();
    }
    if (main_ && t >= next_probe_[*main_]) {
      record(*main_, true);
      next_probe_[*main_] = t + every_;
    }
    const Rental wish = request(held().rental, true);
    if (wish == Rental::kOnDemand) return stay_on_demand();
    find_spot();
    for (std::size_t p = 0; p < pools(); ++p) {
      const bool busy = p == main_ || (held().is(Rental::kSpot) && held().pool == p);
      if (busy || t < next_probe_[p]) continue;
      record(p, probe(p));
      next_probe_[p] = t + every_;
    }
  }

  void stay_on_demand() {
    if (held().is(Rental::kOnDemand)) return;
    launch_on_demand(held().is(Rental::kIdle) ? 0 : held().pool);
    main_.reset();
  }

  void find_spot() {
    const std::vector<std::size_t> ranked =
        pools_by([this](std::size_t pool) { return -score(pool); });
    if (held().is(Rental::kSpot)) {
      const std::size_t here = held().pool, best = ranked.front();
      if (here == best || score(here) >= score(best) * kNearly) {
        main_ = here;
        return;
      }
    }
    if (!held().is(Rental::kIdle)) main_.reset();
    terminate();
    for (const std::size_t pool : ranked) {
      const bool found = try_spot(pool);
      record(pool, found);
      if (!found) continue;
      main_ = pool;
      next_probe_[pool] = market().job.tick + every_;
      return;
    }
    fall_back(0);
    if (held().is(Rental::kOnDemand)) main_.reset();
  }

  void record(std::size_t pool, bool success) {
    ++tries_[pool];
    successes_[pool] += success;
  }

  double score(std::size_t pool) const {
    const double share = tries_[pool] == 0 ? kUnknown
                                           : static_cast<double>(successes_[pool]) /
                                                 static_cast<double>(tries_[pool]);
    return share / seen_price(pool);
  }

  std::vector<std::int64_t> successes_, tries_, next_probe_;
  std::optional<std::size_t> main_;  // of the spot instance that works
  std::int64_t every_ = 1;
};

}  // namespace

std::unique_ptr<Strategy> make_skynomad_up(std::string_view) {
  return std::make_unique<UpByFailover>(false);
}
std::unique_ptr<Strategy> make_skynomad_up_s(std::string_view) {
  return std::make_unique<UpByFailover>(true);
}
std::unique_ptr<Strategy> make_skynomad_up_a(std::string_view) {
  return std::make_unique<UpByProbes>();
}
std::unique_ptr<Strategy> make_skynomad_up_ap(std::string_view) {
  return std::make_unique<UpByProbesPerPrice>();
}

}  // namespace policies
