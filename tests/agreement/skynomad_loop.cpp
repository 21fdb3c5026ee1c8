#include "tests/agreement/skynomad_loop.h"

#include <limits>

#include "tests/agreement/skynomad_env.h"

namespace sim::agreement {
namespace {

using namespace skynomad_loop;

// _compute_request_type() of multi_region_rc_cr_threshold.py.
struct RequestType {
  SkyNomadEnv& env;
  bool exit = false;  // _hysteresis_exit

  double condition2() const {
    const double c_t = env.remaining();
    return (env.elapsed() + 2 * env.overhead) * env.task / env.deadline - (env.task - c_t);
  }
  Cluster operator()(Cluster current, bool has_spot) {
    exit = false;
    const double c_t = env.remaining();
    const double condition = env.task - c_t - env.elapsed() * env.task / env.deadline;
    Cluster request = has_spot ? Cluster::kSpot : Cluster::kNone;
    if (condition < 0 && !has_spot) request = Cluster::kOnDemand;
    if (current == Cluster::kOnDemand && (!has_spot || condition2() >= 0))
      request = Cluster::kOnDemand;
    const double one = std::ceil((c_t + env.overhead) / env.gap) * env.gap;
    const double two = std::ceil((c_t + 2 * env.overhead) / env.gap) * env.gap;
    if (two > env.time_left() && current != Cluster::kSpot) request = Cluster::kOnDemand;
    if (one >= env.time_left()) {
      request =
          current == Cluster::kSpot && env.restart < 1e-3 ? Cluster::kSpot : Cluster::kOnDemand;
      if (env.overhead == 0 && has_spot) request = Cluster::kSpot;
    }
    if (current == Cluster::kOnDemand && has_spot && request == Cluster::kOnDemand &&
        condition2() < 0) {
      request = Cluster::kSpot;
      exit = true;
    }
    return request;
  }
};

struct UniformRule : SkyNomadRule {
  explicit UniformRule(SkyNomadEnv& e) : env(e), request{e} {}

  std::optional<Instance> current() const {
    if (env.active.empty()) return std::nullopt;
    return env.active.begin()->first;
  }
  static Cluster type_of(const std::optional<Instance>& instance) {
    return instance ? instance->second : Cluster::kNone;
  }
  std::size_t home(const std::optional<Instance>& instance) const {
    return instance ? instance->first : env.leader.value_or(0);
  }
  // The regions from the largest score on, of equals in their order.
  template <typename Score>
  std::vector<std::size_t> ranked(Score score) const {
    std::vector<std::pair<double, std::size_t>> all;
    for (std::size_t r = 0; r < env.n; ++r) all.emplace_back(-score(r), r);
    std::sort(all.begin(), all.end());
    std::vector<std::size_t> order;
    for (const auto& [minus, r] : all) order.push_back(r);
    return order;
  }
  std::int64_t ticks(double minutes) const {
    return std::max<std::int64_t>(1, std::lrint(minutes * 60.0 / std::max(1.0, env.gap)));
  }

  SkyNomadEnv& env;
  RequestType request;
};

// UP, and UP(S) of multi_region_rc_cr_threshold_eager_failover.py.
struct LoopFailover : UniformRule {
  LoopFailover(SkyNomadEnv& e, bool by_price) : UniformRule(e), eager(by_price) {}

  std::vector<std::size_t> order() const {
    if (!eager) return ranked([](std::size_t) { return 0.0; });
    const auto by_price =
        ranked([&](std::size_t r) { return -env.price_at(r, Cluster::kSpot, env.tick); });
    if (!last) return by_price;
    std::vector<std::size_t> all;
    for (const bool same : {false, true})
      for (const std::size_t r : by_price)
        if ((env.region_of_zone(r) == env.region_of_zone(*last)) == same) all.push_back(r);
    return all;
  }
  void step() override {
    const auto now = current();
    if (now) last = now->first;
    const Cluster wish = request(type_of(now), true);
    if (now && wish == now->second) return;
    if (now) env.terminate(now->first, now->second);
    if (wish == Cluster::kOnDemand) {
      env.try_launch(home(now), wish);
      return;
    }
    for (const std::size_t r : order())
      if (env.try_launch(r, Cluster::kSpot)) return;
    if (request.exit) return;
    if (request(Cluster::kNone, false) == Cluster::kOnDemand)
      env.try_launch(home(now), Cluster::kOnDemand);
  }

  bool eager;
  std::optional<std::size_t> last;
};

// UP(A) of multi_region_availability_probe_simple.py.
struct LoopAvailability : UniformRule {
  explicit LoopAvailability(SkyNomadEnv& e)
      : UniformRule(e), history(e.n), next_probe(e.n, 0), next_sample(e.n, 0), every(ticks(120)) {}

  double ratio(std::size_t r) const {
    if (history[r].empty()) return 0.5;
    return std::accumulate(history[r].begin(), history[r].end(), 0.0) /
           static_cast<double>(history[r].size());
  }
  void record(std::size_t r, bool success) {
    history[r].push_back(success ? 1 : 0);
    if (history[r].size() > 5) history[r].erase(history[r].begin());
  }
  void step() override {
    auto now = current();
    const bool works = main && env.active.contains({*main, Cluster::kSpot});
    if (main && !works) {
      record(*main, false);
      main.reset();
    }
    if (type_of(now) == Cluster::kSpot) main = now->first;
    if (main && env.tick >= next_sample[*main]) {
      record(*main, true);
      next_sample[*main] = env.tick + every;
    }
    if (request(type_of(now), true) == Cluster::kOnDemand) {
      if (type_of(now) == Cluster::kOnDemand) return;
      if (now) env.terminate(now->first, now->second);
      env.try_launch(home(now), Cluster::kOnDemand);
      main.reset();
      return;
    }
    const auto order = ranked([&](std::size_t r) { return ratio(r); });
    const bool leave =
        type_of(now) == Cluster::kOnDemand ||
        (now && now->first != order[0] && ratio(now->first) < ratio(order[0]) - 1e-6);
    if (now && leave) {
      env.terminate(now->first, now->second);
      now.reset();
      main.reset();
    }
    if (!now && !launch(order)) return;
    background();
  }
  bool launch(const std::vector<std::size_t>& order) {
    for (const std::size_t r : order) {
      const bool success = env.try_launch(r, Cluster::kSpot);
      record(r, success);
      if (!success) continue;
      main = r;
      next_sample[r] = env.tick + every;
      return true;
    }
    if (!request.exit && request(Cluster::kNone, false) == Cluster::kOnDemand) {
      env.try_launch(env.leader.value_or(0), Cluster::kOnDemand);
      main.reset();
    }
    return false;
  }
  void background() {
    std::vector<std::pair<std::size_t, std::size_t>> due;
    for (std::size_t r = 0; r < env.n; ++r)
      if (main != r && !env.active.contains({r, Cluster::kSpot}) && env.tick >= next_probe[r])
        due.emplace_back(history[r].size(), r);
    if (due.empty()) return;
    const std::size_t r = std::min_element(due.begin(), due.end())->second;
    record(r, env.probe(r));
    next_probe[r] = env.tick + every;
  }

  std::vector<std::vector<int>> history;
  std::vector<std::int64_t> next_probe, next_sample;
  std::int64_t every;
  std::optional<std::size_t> main;
};

// UP(AP) of multi_region_probe_cost_ratio.py.
struct LoopCostRatio : UniformRule {
  explicit LoopCostRatio(SkyNomadEnv& e)
      : UniformRule(e), successes(e.n, 0), total(e.n, 0), next_probe(e.n, 0), every(ticks(60)) {}

  double score(std::size_t r) const {
    const double rate = total[r] == 0 ? 0.5 : successes[r] / total[r];
    return rate / env.price_at(r, Cluster::kSpot, env.env_tick[r]);
  }
  void record(std::size_t r, bool success) {
    total[r] += 1;
    if (success) successes[r] += 1;
  }
  void step() override {
    auto now = current();
    if (main && !env.active.contains({*main, Cluster::kSpot})) {
      record(*main, false);
      main.reset();
    }
    if (main && env.tick >= next_probe[*main]) {
      record(*main, true);
      next_probe[*main] = env.tick + every;
    }
    if (request(type_of(now), true) == Cluster::kOnDemand) {
      if (type_of(now) == Cluster::kOnDemand) return;
      if (now) env.terminate(now->first, now->second);
      env.try_launch(now ? now->first : 0, Cluster::kOnDemand);
      main.reset();
      return;
    }
    const auto order = ranked([&](std::size_t r) { return score(r); });
    if (type_of(now) == Cluster::kSpot &&
        (now->first == order[0] || score(now->first) >= score(order[0]) * 0.9)) {
      main = now->first;
    } else {
      if (now) {
        env.terminate(now->first, now->second);
        main.reset();
      }
      launch(order);
    }
    for (std::size_t r = 0; r < env.n; ++r) {
      if (main == r || env.active.contains({r, Cluster::kSpot}) || env.tick < next_probe[r])
        continue;
      record(r, env.probe(r));
      next_probe[r] = env.tick + every;
    }
  }
  void launch(const std::vector<std::size_t>& order) {
    for (const std::size_t r : order) {
      const bool success = env.try_launch(r, Cluster::kSpot);
      record(r, success);
      if (!success) continue;
      main = r;
      next_probe[r] = env.tick + every;
      return;
    }
    if (request(Cluster::kNone, false) != Cluster::kOnDemand) return;
    env.try_launch(0, Cluster::kOnDemand);
    main.reset();
  }

  std::vector<double> successes, total;
  std::vector<std::int64_t> next_probe;
  std::int64_t every;
  std::optional<std::size_t> main;
};

std::unique_ptr<SkyNomadRule> make_rule(SkyNomadEnv& env, std::string_view name) {
  if (name == "skynomad-up") return std::make_unique<LoopFailover>(env, false);
  if (name == "skynomad-up-s") return std::make_unique<LoopFailover>(env, true);
  if (name == "skynomad-up-a") return std::make_unique<LoopAvailability>(env);
  if (name == "skynomad-up-ap") return std::make_unique<LoopCostRatio>(env);
  if (name == "skynomad") return make_unified_cost_model(env, false);
  if (name == "skynomad-v100") return make_unified_cost_model(env, true);
  return nullptr;
}

// _simulate_one(): the result is the last of the snapshots that are taken at the end of each tick.
double simulate(SkyNomadEnv& env, SkyNomadRule& rule) {
  double snapshot = 0;
  for (;; ++env.tick) {
    if (env.tick > 0) env.bill_last_tick();
    env.progress();
    if (env.remaining() <= 1e-3) return snapshot;
    if (env.elapsed() >= env.deadline) return std::numeric_limits<double>::quiet_NaN();
    if (!env.safety_net()) rule.step();
    snapshot = env.compute + env.transfer;
  }
}

}  // namespace

std::optional<double> skynomad_cost(const ticks::TickJob& job, const ticks::Pools& pools,
                                    std::string_view strategy) {
  SkyNomadEnv env(job, pools);
  const auto rule = make_rule(env, strategy);
  if (!rule || job.conventions != ticks::Conventions::kSkyNomad) return std::nullopt;
  if (env.task / 3600 + env.overhead / 3600 <= env.deadline / 3600) return simulate(env, *rule);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < env.n; ++r)
    least = std::min(least, env.price_at(r, Cluster::kOnDemand, 0));
  return least * (env.task / 3600 + env.overhead / 3600);
}

}  // namespace sim::agreement
