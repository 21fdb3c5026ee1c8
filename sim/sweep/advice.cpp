#include "sim/sweep/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "policies/checkpoint/interval.h"
#include "sim/sweep/workers.h"
#include "sim/ticks/optimum.h"

namespace sim::sweep {
namespace {

constexpr std::size_t kMostZones = 8;   // together
constexpr std::size_t kFinalists = 3;   // strategies and zones that meet every way to save
constexpr std::size_t kOthersTold = 4;  // beside the best
constexpr std::size_t kOptimumWindows = 40;

std::vector<Window> windows_of(const Question& question, const std::vector<std::size_t>& zones) {
  std::vector<PoolTrace> pools;
  for (const std::size_t zone : zones) pools.push_back(question.zones[zone]);
  // Beyond the deadline only late jobs run, on demand.
  const Cut cut{.tick = question.job.tick,
                .length = question.job.deadline,
                .count = question.windows,
                .seed = question.seed};
  auto windows = cut_side_by_side(question.name, pools, question.moves, cut);
  if (question.interruptions) interrupt(windows, question.job.tick, *question.interruptions);
  return windows;
}

// All rows in the grid's order.
Rows run_all(const Sweep& sweep, unsigned threads) {
  const Grid& grid = sweep.grid();
  Rows all(grid.measures.size());
  for (std::int64_t run = 0; run < grid.runs(); ++run) all.add(run);
  const std::size_t width = grid.measures.size() + 1;
  run_on_threads(
      sweep, blocks_to_do(grid, {}, Rows(grid.measures.size())), threads, [&](const Rows& some) {
        for (std::size_t r = 0; r < some.size(); ++r)
          std::ranges::copy(
              some.measures(r),
              all.cells().begin() + some.run(r) * static_cast<std::ptrdiff_t>(width) + 1);
      });
  return all;
}

// The best first.
bool is_better(const Way& a, const Way& b, double late_allowed) {
  const double late_a = std::max(a.late - late_allowed, 0.0);
  const double late_b = std::max(b.late - late_allowed, 0.0);
  return late_a != late_b ? late_a < late_b : a.cost.mean < b.cost.mean;
}

class Adviser {
 public:
  Adviser(const Question& question, unsigned threads) : question_(question), threads_(threads) {}

  // The best way first.
  std::vector<Way> compare(const std::vector<std::string>& strategies,
                           const std::vector<std::size_t>& zones,
                           const std::vector<Checkpoints>& saves) {
    return compare(strategies, zones, saves, windows_of(question_, zones));
  }
  // The same on the zones' windows.
  std::vector<Way> compare(const std::vector<std::string>& strategies,
                           const std::vector<std::size_t>& zones,
                           const std::vector<Checkpoints>& saves, std::vector<Window> windows) {
    const TickSweep sweep({strategies, {question_.job}, std::move(windows), saves});
    const auto summaries = summarize(sweep.grid(), run_all(sweep, threads_));
    std::vector<Way> ways;
    for (const Summary& s : summaries) {
      const auto variant = static_cast<std::size_t>(s.variant);
      ways.push_back({strategies[variant / saves.size()], zones, saves[variant % saves.size()],
                      s.measures[kCost], s.measures[kMakespan], s.late_share.value_or(0)});
      interval_ = s.interval, clusters_ = s.clusters;
    }
    runs_ += sweep.grid().runs();
    sort(ways);
    return ways;
  }

  void sort(std::vector<Way>& ways) const {
    std::ranges::stable_sort(
        ways, [&](const Way& a, const Way& b) { return is_better(a, b, question_.late_allowed); });
  }

  // Of all strategies in more and more of the zones, those best alone first.
  std::vector<Way> places(const std::vector<Checkpoints>& saves) {
    std::vector<Way> alone, ways;
    for (std::size_t zone = 0; zone < question_.zones.size(); ++zone) {
      auto more = compare(kAlone, {zone}, saves);
      alone.push_back(more.front());
      ways.insert(ways.end(), more.begin(), more.end());
    }
    sort(alone);
    std::vector<std::size_t> zones{alone.front().zones.front()};
    for (std::size_t n = 1; n < std::min(alone.size(), kMostZones); ++n) {
      zones.push_back(alone[n].zones.front());
      std::vector<std::size_t> sorted = zones;
      std::ranges::sort(sorted);
      const auto more = compare(kTogether, sorted, saves);
      ways.insert(ways.end(), more.begin(), more.end());
    }
    sort(ways);
    return ways;
  }

  // Every way to save for the best strategies and zones.
  std::vector<Way> finals(const std::vector<Way>& places, const std::vector<Checkpoints>& saves) {
    std::vector<Way> ways;
    std::size_t met = 0;
    for (std::size_t i = 0; i < places.size() && met < kFinalists; ++i) {
      const Way& place = places[i];
      const bool again = std::ranges::any_of(ways, [&](const Way& way) {
        return way.strategy == place.strategy && way.zones == place.zones;
      });
      if (again) continue;
      ++met;
      const auto more = compare({place.strategy}, place.zones, saves);
      ways.insert(ways.end(), more.begin(), more.end());
    }
    ways.insert(ways.end(), places.begin(), places.end());
    sort(ways);
    return ways;
  }

  std::int64_t runs() const { return runs_; }
  IntervalKind interval() const { return interval_; }
  std::int64_t clusters() const { return clusters_; }

 private:
  // What to rent where one zone is open, and where several are.
  inline static const std::vector<std::string> kAlone{"greedy", "uniform-progress", "utility:0.1"};
  inline static const std::vector<std::string> kTogether{
      "greedy+lowest-price",
      "greedy+leave-interrupted",
      "uniform-progress+lowest-price",
      "uniform-progress+leave-interrupted",
      "uniform-progress+price-capacity-optimized",
      "utility:0.1"};

  const Question& question_;
  unsigned threads_;
  std::int64_t runs_ = 0;
  IntervalKind interval_ = IntervalKind::kStudent;
  std::int64_t clusters_ = 0;
};

// To whole minutes, or below ten of them to whole seconds: as somebody would write it.
Duration written_down(Duration interval) {
  const Duration unit = interval >= 10min ? Duration(1min) : Duration(1s);
  return std::max((interval + unit / 2) / unit * unit, unit);
}

std::vector<Checkpoints> ways_to_save(const TickJob& job, Duration interval) {
  std::vector<Checkpoints> all;
  const bool fits = job.notice >= job.checkpoint_cost + job.step;
  const auto add = [&](const std::string& policy) {
    all.push_back({.cost = job.checkpoint_cost, .policy = policy});
  };
  for (const double times : {1.0, 0.25, 0.5, 2.0, 4.0}) {
    const auto every =
        Duration(static_cast<std::int64_t>(times * static_cast<double>(interval.count())));
    if (every >= job.work) continue;
    const std::string policy = "time:" + format_duration(written_down(every));
    if (fits) add(policy + ",on-notice");
    add(policy);
  }
  // Never without an interval where one fits into the work: EC2's notice is no promise.
  if (all.empty()) add(fits ? "on-notice" : "none");
  return all;
}

Duration best_interval(const TickJob& job, Duration mean_life) {
  const double cost = std::max(seconds(job.checkpoint_cost), 1e-3);
  return from_seconds(policies::exact_interval(cost, seconds(mean_life)));
}

Duration mean_life_of(const SpotLife& life) {
  return life.mean().value_or(std::max(life.there, Duration(1h)));
}

std::vector<std::size_t> all_zones(const Question& question) {
  std::vector<std::size_t> zones(question.zones.size());
  for (std::size_t i = 0; i < zones.size(); ++i) zones[i] = i;
  return zones;
}

// The advised way in another world, and what would be advised in the same zones there.
WhatIf what_if(const std::string& what, const Question& question, const Way& way,
               unsigned threads) {
  Adviser adviser(question, threads);
  auto windows = windows_of(question, way.zones);
  Checkpoints same = way.saves;
  same.cost = question.job.checkpoint_cost;
  auto saves = ways_to_save(
      question.job, best_interval(question.job, mean_life_of(spot_life(windows, question.job))));
  saves.push_back(same);
  auto ways = adviser.compare({way.strategy}, way.zones, saves, std::move(windows));
  const auto found = std::ranges::find_if(ways, [&](const Way& w) {
    return w.saves.policy == same.policy && w.saves.interval == same.interval;
  });
  return {what, *found, ways.front()};
}

// The same with interruptions of this mean in place of those assumed.
Question taken_every(const Question& question, Duration every) {
  Question other = question;
  other.interruptions->every = every;
  return other;
}

std::vector<WhatIf> what_ifs(const Question& question, const Advice& advice, unsigned threads) {
  std::vector<WhatIf> all;
  const auto add = [&](const std::string& what, const Question& other) {
    all.push_back(what_if(what, other, advice.best, threads));
  };
  Question often = question;
  // Twice the rate: as many again, drawn on top of all that there are.
  const Duration drawn = question.interruptions ? question.interruptions->every : Duration::max();
  const double rate = 1 / seconds(advice.mean_life) + 1 / seconds(drawn);
  often.interruptions =
      Interruptions{.every = from_seconds(1 / rate),
                    .away = question.interruptions ? question.interruptions->away : Duration(20min),
                    .seed = question.seed};
  add("interruptions twice as often", often);
  for (const Duration every : {Duration(6h), Duration(2h)})
    if (advice.assumed && every < drawn)
      add("interruptions every " + format_duration(every), taken_every(question, every));
  if (advice.best.saves.policy.find("on-notice") != std::string::npos) {
    Question half = question, none = question;
    half.job.notice /= 2;
    none.job.notice = Duration::zero();
    add("half the notice", half);
    add("no notice at all", none);
  }
  Question slow = question;
  slow.job.checkpoint_cost *= 2;
  add("checkpoints that take twice as long", slow);
  return all;
}

void add_optimum(Advice& advice, const Question& question, unsigned threads) {
  auto windows = windows_of(question, advice.best.zones);
  windows.resize(std::min(windows.size(), kOptimumWindows));
  try {
    for (const Window& window : windows) check_solvable(question.job, window.pools);
  } catch (const std::logic_error&) {
    return;
  }
  const TickSweep both(
      {{advice.best.strategy, kOptimum}, {question.job}, std::move(windows), {advice.best.saves}});
  const auto summaries = summarize(both.grid(), run_all(both, threads));
  advice.best_beside_optimum = summaries[0].measures[kCost].mean;
  advice.optimum = summaries[1].measures[kCost].mean;
  advice.optimum_windows = summaries[1].measures[kCost].n;
}

}  // namespace

Advice advise(const Question& asked, unsigned threads) {
  Question question = asked;
  auto windows = windows_of(question, all_zones(question));
  if (windows.empty())
    throw std::length_error(
        "the traces have no time that all zones cover and that is as long as "
        "the deadline");
  Advice advice;
  if (!asked.interruptions && !asked.as_traced && !spot_life(windows, asked.job).mean()) {
    advice.assumed = true;
    question.interruptions =
        Interruptions{.every = asked.job.deadline, .away = 20min, .seed = asked.seed};
    windows = windows_of(question, all_zones(question));
  }
  advice.drawn = question.interruptions;
  advice.window = question.job.deadline;
  advice.life = spot_life(windows, question.job);
  advice.mean_life = mean_life_of(advice.life);
  advice.interval = best_interval(question.job, advice.mean_life);
  Adviser adviser(question, threads);
  const auto saves = ways_to_save(question.job, advice.interval);
  const auto ways = adviser.finals(adviser.places({saves.front()}), saves);
  advice.on_demand =
      adviser.compare({"on-demand"}, {ways.front().zones.front()}, {Checkpoints{}}).front();
  advice.best = is_better(advice.on_demand, ways.front(), question.late_allowed) ? advice.on_demand
                                                                                 : ways.front();
  for (const Way& way : ways) {
    if (advice.others.size() == kOthersTold) break;
    const auto alike = [&](const Way& other) {
      return other.strategy == way.strategy && other.zones == way.zones &&
             other.saves.policy == way.saves.policy;
    };
    if (!alike(advice.best) && std::ranges::none_of(advice.others, alike))
      advice.others.push_back(way);
  }
  advice.interval_kind = adviser.interval(), advice.clusters = adviser.clusters();
  advice.runs = adviser.runs();
  if (advice.best.strategy != "on-demand") {
    advice.what_ifs = what_ifs(question, advice, threads);
    add_optimum(advice, question, threads);
  }
  return advice;
}

}  // namespace sim::sweep
