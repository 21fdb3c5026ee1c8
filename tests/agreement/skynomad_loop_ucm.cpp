// SkyNomad's own policy in the loop of skynomad_loop.h, from the events that it records on.
#include <deque>
#include <limits>

#include "tests/agreement/skynomad_env.h"

namespace sim::agreement::skynomad_loop {
namespace {

struct RunEvent {
  bool start, probe, failure;
  double time;
};
struct Segment {
  double start, end, hours;
  bool failure;
};
struct RegionState {
  std::vector<Segment> segments;
  std::optional<double> age, start;  // hours, seconds
  bool probe = false;
};

struct UnifiedCostModel : SkyNomadRule {
  UnifiedCostModel(SkyNomadEnv& e, bool v)
      : env(e),
        v100(v),
        raw(e.n),
        state(e.n),
        burst(e.n),
        g(e.n, 1.0),
        real_age(e.n),
        virtual_age(e.n),
        tick_failures(e.n, 0),
        next_probe(e.n, 0),
        probe_hours(e.n, 0.0),
        last_cost(e.n, 0.0),
        seen(e.n) {}

  double now() const { return env.elapsed(); }
  double progress() const { return std::accumulate(env.done.begin(), env.done.end(), 0.0); }
  double spot(std::size_t r) const { return env.price_at(r, Cluster::kSpot, env.env_tick[r]); }
  double on_demand(std::size_t r) const { return env.price_at(r, Cluster::kOnDemand, env.tick); }

  void record_start(std::size_t r, bool probe) { raw[r].push_back({true, probe, false, now()}); }
  void record_end(std::size_t r, bool failure) {
    raw[r].push_back({false, false, failure, now()});
    if (failure) ++tick_failures[r];
  }
  void update_virtual(std::size_t r, bool available) {
    if (!v100 || active_region == r) return;
    const std::optional<bool> prev = std::exchange(seen[r], available);
    if (available && prev != true) record_start(r, true);
    if (!available && prev == true) record_end(r, true);
  }

  void rebuild() {
    for (std::size_t r = 0; v100 && r < env.n; ++r) {
      const double total = env.probe_cost[r], delta = total - last_cost[r];
      if (delta > 1e-9) probe_hours[r] += delta / spot(r);
      last_cost[r] = total;
    }
    for (std::size_t r = 0; r < env.n; ++r) {
      RegionState fresh;
      for (const RunEvent& event : raw[r]) {
        if (!event.start && fresh.start)
          fresh.segments.push_back({*fresh.start, event.time,
                                    std::max(0.0, (event.time - *fresh.start) / 3600.0),
                                    event.failure});
        fresh.start = event.start ? std::optional(event.time) : std::nullopt;
        fresh.probe = event.start && event.probe;
      }
      if (fresh.start) fresh.age = std::max(0.0, (now() - *fresh.start) / 3600.0);
      state[r] = fresh;
    }
  }

  using Knots = std::vector<std::pair<double, double>>;
  std::pair<Knots, double> knots_of(std::size_t r) const {
    std::vector<std::pair<double, int>> samples;
    for (const Segment& s : state[r].segments) samples.emplace_back(s.hours, s.failure ? 1 : 0);
    if (v100 && state[r].age && *state[r].age > 0) samples.emplace_back(*state[r].age, 0);
    std::set<double> times;
    for (const auto& [d, f] : samples)
      if (f == 1) times.insert(d);
    Knots knots;
    for (const double tau : times) {
      double d_j = 0, n_j = 0;
      for (const auto& [d, f] : samples) {
        if (f == 1 && std::abs(d - tau) <= 1e-9) d_j += 1;
        if (d + 1e-9 >= tau) n_j += 1;
      }
      knots.emplace_back(tau, d_j / std::max(n_j, 1e-12));
    }
    const double tail = knots.empty() ? 1e-8 : std::max(knots.back().second, 1e-8);
    return {knots, tail};
  }
  static double hazard(const Knots& knots, double t, double tail) {
    if (t <= 0) return 0;
    double s = 0, last = 0;
    for (const auto& [tau, step] : knots) {
      if (tau >= t) break;
      s += step;
      last = tau;
    }
    return t > last ? s + (t - last) * tail : s;
  }

  void jitter() {
    const double dt = env.gap / 3600.0;
    for (std::size_t r = 0; r < env.n; ++r) {
      const auto [knots, tail] = knots_of(r);
      std::optional<double> age_now, age_prev;
      if (state[r].age && !state[r].probe) {
        age_now = state[r].age;
        age_prev = real_age[r] ? *real_age[r] : std::max(*age_now - dt, 0.0);
        real_age[r] = age_now;
        if (!v100) virtual_age[r].reset();
      } else if (state[r].age) {
        age_now = state[r].age;
        age_prev = virtual_age[r] ? *virtual_age[r] : std::max(*age_now - dt, 0.0);
        virtual_age[r] = age_now;
        real_age[r].reset();
      } else {
        real_age[r].reset();
        if (!v100) virtual_age[r].reset();
      }
      double risk = 0;
      if (age_now)
        risk = std::max(0.0, hazard(knots, *age_now, tail) - hazard(knots, *age_prev, tail));
      if (risk <= 0 && (age_now || tick_failures[r] > 0)) {
        if (knots.empty()) {
          risk = tail * dt;
        } else if (age_now && *age_prev >= knots.back().first) {
          risk = std::max(risk, tail * std::max(0.0, *age_now - *age_prev));
        }
      }
      if (tick_failures[r] > 0 && risk <= 0) risk = tail * dt;
      if (risk > 0 || tick_failures[r] > 0) append(r, risk, tick_failures[r]);
      tick_failures[r] = 0;
    }
  }
  void append(std::size_t r, double risk, int failures) {
    auto& events = burst[r];
    events.emplace_back(risk, failures);
    double total = 0;
    for (const auto& event : events) total += event.first;
    while (!events.empty() && total - events.front().first >= 8.0) {
      total -= events.front().first;
      events.pop_front();
    }
    total = 0;
    for (const auto& event : events) total += event.first;
    g[r] = total < 1.0 ? 1.0 : std::max(1.0, suffix_ratio(events));
  }
  static double suffix_ratio(const std::deque<std::pair<double, int>>& events) {
    double risk = 0, failures = 0, best = 0;
    std::size_t length = 0, best_length = 0;
    for (auto e = events.rbegin(); e != events.rend(); ++e) {
      risk += e->first;
      failures += e->second;
      ++length;
      if (length == 1 && risk <= 1e-6 && failures <= 0) continue;
      if (risk > 1.0 + 1e-9) {
        if (length == 1) {
          best = failures / risk;
          best_length = 1;
        }
        break;
      }
      const double effective = risk <= 0 ? (failures > 0 ? 1e-6 : 0.0) : risk;
      const double ratio = effective > 0 ? failures / effective : 0.0;
      if (best_length == 0 || ratio > best + 1e-9 ||
          (std::abs(ratio - best) <= 1e-9 && length < best_length)) {
        best = ratio;
        best_length = length;
      }
    }
    if (best_length > 0) return best;
    const auto& [raw_risk, fails] = events.back();
    const double last = raw_risk > 0 ? raw_risk : fails > 0 ? 1e-6 : 0.0;
    return last > 0 ? fails / last : 0.0;
  }

  double duration(std::size_t r) const {
    double t = state[r].age.value_or(0.0);
    if (v100) t = std::max(t, probe_hours[r]);
    const auto [knots, tail] = knots_of(r);
    const double scale = std::max(1e-6, g[r]);
    double expected = 0, alive = 1;
    for (const auto& [tau, step] : knots) {
      if (tau <= t + 1e-12) continue;
      expected += alive * (tau - t);
      alive *= std::exp(-scale * step);
      t = tau;
    }
    const double denominator = 1.0 - std::exp(-scale * tail);
    expected += alive * (env.gap / 3600.0) /
                (denominator > 1e-9 ? denominator : std::max(scale * tail, 1e-9));
    expected = std::min(expected, v100 ? 1e9 : 2.0);
    const double remaining = env.deadline - now();
    return remaining > 0 ? std::min(expected, remaining / 3600.0) : expected;
  }
  double availability(std::size_t r) const {
    const double from = std::max(0.0, now() - 12 * 3600.0), span = std::min(12 * 3600.0, now());
    double up = 0;
    for (const Segment& s : state[r].segments)
      up += std::max(0.0, std::min(s.end, now()) - std::max(s.start, from));
    if (state[r].start) up += std::max(0.0, now() - std::max(*state[r].start, from));
    return span <= 0 ? 0.0 : std::min(1.0, up / span);
  }

  double value() const {
    const double left = env.task - progress(), time = env.deadline - now();
    if (time <= 0) return std::numeric_limits<double>::infinity();
    double c_od = on_demand(0), c_spot = spot(0);
    for (std::size_t r = 1; r < env.n; ++r) {
      c_od = std::min(c_od, on_demand(r));
      c_spot = std::min(c_spot, spot(r));
    }
    if (v100) return std::max(c_od * ((left * env.deadline) / (time * env.task)), c_spot);
    return reference_cost(left, time, c_od) * 1.2;
  }
  double od_weight() const {
    const double t = now(), p = progress();
    if (t <= 0) return 0;
    if (std::abs(p - t) < 1e-6) return 0.5;
    double rate = 0;
    if (t < 600) {
      rate = p / t;
    } else {
      const double start = std::max(0.0, t - 36000.0);
      const int first = static_cast<int>(start / env.gap);
      const double before = std::accumulate(env.done.begin(), env.done.begin() + first, 0.0);
      rate = std::max(0.0, std::min(1.0, t > start ? (p - before) / (t - start) : 0.0));
    }
    if (std::abs(rate - 1.0) < 1e-6) return 0;
    const double x = (rate * t - p + (env.task + 2 * env.overhead - env.deadline)) / (rate - 1.0);
    if (x >= env.deadline) return 0;
    if (x <= 0) return 1;
    return std::max(0.0, std::min(1.0, (env.deadline - x) / (env.deadline - t)));
  }
  double reference_cost(double left, double time, double c_od) const {
    const double restart = env.overhead / 3600.0;
    std::vector<std::pair<double, double>> regions;  // adjusted price, seconds
    for (std::size_t r = 0; r < env.n; ++r) {
      const double d = duration(r), rate = d > restart ? (d - restart) / d : 0.0;
      const double contribution = availability(r) * time * rate;
      if (contribution > 0)
        regions.emplace_back(spot(r) * d / std::max(d - restart, 1e-6), contribution);
    }
    std::stable_sort(regions.begin(), regions.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const double assigned = od_weight() * left, target = std::max(0.0, left - assigned);
    double od_total = assigned, total = assigned / 3600.0 * c_od, given = 0, spot_cost = 0;
    int used = 0;
    for (const auto& [price, seconds] : regions) {
      if (given >= target) break;
      const double here = std::min(seconds, target - given);
      if (here <= 0) continue;
      ++used;
      spot_cost += (here / 3600.0) * price;
      given += here;
    }
    if (given < target) {
      od_total += target - given;
      total += ((target - given) / 3600.0) * c_od;
    }
    total += spot_cost;
    const double hours = std::max(left / 3600.0, 1e-6);
    if (od_total > 0) ++used;
    const double egress = used > 1 ? (used - 1) * env.job.gigabytes * 0.02 : 0.0;
    return egress > 0 ? total / hours + egress / hours : total / hours;
  }
  double spot_value(std::size_t r, double v, bool running) const {
    const double d = duration(r);
    const double useful = std::max(0.0, running ? d : d - env.overhead / 3600.0);
    if (useful <= 0) return -std::numeric_limits<double>::infinity();
    return (v * useful - spot(r) * d) / d;
  }
  double egress(std::size_t to) const {
    return origin && *origin != to ? env.pools.move(*origin, to).egress.dollars() : 0.0;
  }

  struct Choice {
    double value;
    Cluster type;
    std::size_t region;
  };
  std::vector<Choice> choices(const std::optional<Instance>& now_held, double v,
                              double current) const {
    const double bar = current + (0.5 + 0.0002 * env.job.gigabytes + 0.05 * v);
    std::vector<Choice> all{{0.0, Cluster::kNone, 0}};
    for (std::size_t r = 0; r < env.n; ++r) {
      const bool same = now_held && now_held->first == r;
      const double penalty = egress(r) / std::max(duration(r), 1e-6);
      const double worth = spot_value(r, v, same && now_held->second == Cluster::kSpot) - penalty;
      if (worth >= 0 && (!now_held || same || worth > bar))
        all.push_back({worth, Cluster::kSpot, r});
    }
    for (std::size_t r = 0; r < env.n; ++r) {
      if (now_held == Instance{r, Cluster::kOnDemand}) continue;
      double worth = v - on_demand(r);
      if (origin && *origin != r) worth -= env.overhead / 3600.0 * v + egress(r);
      if (worth >= 0 && (!now_held || worth > bar)) all.push_back({worth, Cluster::kOnDemand, r});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Choice& a, const Choice& b) { return a.value > b.value; });
    return all;
  }

  void step() override {
    if (active_region && !env.active.contains({*active_region, Cluster::kSpot})) {
      record_end(*active_region, !by_us);
      active_region.reset();
      by_us = false;
    }
    rebuild();
    jitter();
    const double v = value();
    std::optional<Instance> held;
    if (!env.active.empty()) held = env.active.begin()->first;
    double current = 0;
    if (held) {
      current = held->second == Cluster::kSpot ? spot_value(held->first, v, true)
                                               : v - on_demand(held->first);
      origin = held->first;
    }
    std::optional<std::size_t> primary;
    if (held) primary = held->first;
    for (const Choice& choice : choices(held, v, current)) {
      if (choice.value <= current) break;
      if (held ? *held == Instance{choice.region, choice.type} : choice.type == Cluster::kNone)
        continue;
      if (!launch(choice)) continue;
      primary.reset();
      if (choice.type != Cluster::kNone) primary = choice.region;
      origin = primary;
      if (held && primary) {
        if (active_region == held->first) by_us = true;
        update_virtual(held->first, false);
        env.terminate(held->first, held->second);
      }
      break;
    }
    probe_rest(primary);
  }
  bool launch(const Choice& choice) {
    const std::size_t r = choice.region;
    if (choice.type == Cluster::kNone) return true;
    if (choice.type == Cluster::kOnDemand) return env.try_launch(r, Cluster::kOnDemand);
    if (probes_active.erase(r) > 0) {
      record_end(r, false);
      virtual_age[r].reset();
    }
    if (!env.try_launch(r, Cluster::kSpot)) {
      last_failed.insert(r);
      ++tick_failures[r];
      update_virtual(r, false);
      return false;
    }
    record_start(r, false);
    active_region = r;
    by_us = false;
    last_failed.erase(r);
    real_age[r] = 0.0;
    virtual_age[r].reset();
    return true;
  }
  void probe_rest(std::optional<std::size_t> primary) {
    for (std::size_t r = 0; r < env.n; ++r) {
      if (primary == r || probes_active.contains(r) || last_failed.contains(r) ||
          env.tick < next_probe[r])
        continue;
      if (env.probe(r)) {
        record_start(r, true);
        probes_active.insert(r);
        virtual_age[r] = 0.0;
        update_virtual(r, true);
      } else {
        ++tick_failures[r];
        virtual_age[r].reset();
        update_virtual(r, false);
      }
      next_probe[r] = env.tick + 6;
    }
    last_failed.clear();
  }

  SkyNomadEnv& env;
  bool v100;
  std::vector<std::vector<RunEvent>> raw;
  std::vector<RegionState> state;
  std::vector<std::deque<std::pair<double, int>>> burst;
  std::vector<double> g;
  std::vector<std::optional<double>> real_age, virtual_age;
  std::vector<int> tick_failures;
  std::vector<std::int64_t> next_probe;
  std::vector<double> probe_hours, last_cost;
  std::vector<std::optional<bool>> seen;
  std::set<std::size_t> probes_active, last_failed;
  std::optional<std::size_t> active_region, origin;
  bool by_us = false;
};

}  // namespace

std::unique_ptr<SkyNomadRule> make_unified_cost_model(SkyNomadEnv& env, bool v100) {
  return std::make_unique<UnifiedCostModel>(env, v100);
}

}  // namespace sim::agreement::skynomad_loop
