#include "sim/sweep/advice/advice_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace sim::sweep {
namespace {

constexpr std::size_t kMostZones = 8;  // limit of zones used together
constexpr std::array<double, 1> kOnce{1};
constexpr std::array<double, 5> kTimes{0.25, 0.5, 1, 2, 4};
constexpr std::array<double, 3> kFewMargins{0, 0.5, 0.9};
constexpr std::array<double, 5> kMargins{0, 0.25, 0.5, 0.75, 0.95};
constexpr Choices kFirst{kOnce, kFewMargins}, kThen{kTimes, kMargins};
constexpr int kRefinements = 3, kBisections = 2;
// A place that costs this much more than the cheapest may be the cheapest with another way to save.
constexpr double kNear = 0.06;
constexpr std::size_t kMostNear = 8;
constexpr double kLongest = 64, kShortest = 1.0 / 64;  // limits of the multiples to try

// The strategies for one zone, and for several.
const std::array<std::string, 4> kAlone{"greedy", "uniform-progress",
                                        "uniform-progress-no-hysteresis", "utility:0.1"};
const std::array<std::string, 8> kTogether{"greedy+lowest-price",
                                           "greedy+leave-interrupted",
                                           "uniform-progress+lowest-price",
                                           "uniform-progress+leave-interrupted",
                                           "uniform-progress+price-capacity-optimized",
                                           "uniform-progress-no-hysteresis+lowest-price",
                                           "uniform-progress-no-hysteresis+leave-interrupted",
                                           "utility:0.1"};

using TriedWays = std::vector<TriedAlternative>;

void append(TriedWays& ways, const TriedWays& more) {
  ways.insert(ways.end(), more.begin(), more.end());
}

// Finds the smallest margin that is in time, because margins cost money. It searches between the
// widest margin that is late and the narrowest that is not. The ways differ only in their margins.
void bisect_margin(AdviceTrials& trials, TriedWays& ways) {
  for (int i = 0; i < kBisections; ++i) {
    const TriedAlternative best = ways[trials.preference().choose(ways).cheapest];
    double late = -1;
    for (const TriedAlternative& way : ways)
      if (way.saves.policy == best.saves.policy && way.margin < best.margin)
        late = std::max(late, way.margin);
    if (late < 0 || best.times == 0) return;
    const std::array<double, 1> times{best.times}, between{(late + best.margin) / 2};
    const std::array<std::string, 1> strategy{best.strategy};
    for (const Save& save : trials.saves(best.zones, {times, between}))
      if (save.saves.policy == best.saves.policy && save.saves.told_work != best.saves.told_work)
        append(ways, trials.attempt(strategy, best.zones, {save}));
  }
}

// These strategies with every initial way to save.
TriedWays try_place(AdviceTrials& trials, std::span<const std::string> strategies,
                    const Zones& zones) {
  const TriedWays first = trials.attempt(strategies, zones, trials.saves(zones, kFirst));
  TriedWays all;
  for (const std::string& strategy : strategies) {
    TriedWays some;
    std::ranges::copy_if(first, std::back_inserter(some),
                         [&](const TriedAlternative& way) { return way.strategy == strategy; });
    bisect_margin(trials, some);
    append(all, some);
  }
  return all;
}

// The zones ordered by their best cost alone. Adds the ways that were tried.
Zones best_alone_first(AdviceTrials& trials, TriedWays& ways) {
  TriedWays alone;
  for (const std::size_t zone : all_zones(trials.question())) {
    const TriedWays more = try_place(trials, kAlone, {zone});
    alone.push_back(more[trials.preference().choose(more).best]);
    append(ways, more);
  }
  Zones sorted;
  while (!alone.empty()) {
    const auto best = static_cast<std::ptrdiff_t>(trials.preference().choose(alone).best);
    sorted.push_back(alone[static_cast<std::size_t>(best)].zones.front());
    alone.erase(alone.begin() + best);
  }
  return sorted;
}

TriedWays places(AdviceTrials& trials) {
  TriedWays ways;
  const Zones best = best_alone_first(trials, ways);
  for (std::size_t n = 2; n <= std::min(best.size(), kMostZones); ++n) {
    Zones zones(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(n));
    std::ranges::sort(zones);
    append(ways, try_place(trials, kTogether, zones));
  }
  return ways;
}

// The cheapest way in time for each strategy and zones, the cheapest first.
TriedWays cheapest_of_places(const AdviceTrials& trials, TriedWays ways) {
  const auto cost = [](const TriedAlternative& way) { return mean_of(way.cost); };
  const double late = trials.preference().too_late(ways[trials.preference().choose(ways).best]);
  std::erase_if(
      ways, [&](const TriedAlternative& way) { return trials.preference().too_late(way) > late; });
  std::ranges::stable_sort(ways, {}, cost);
  TriedWays places;
  for (const TriedAlternative& way : ways)
    if (std::ranges::none_of(places, [&](const TriedAlternative& p) { return same_place(p, way); }))
      places.push_back(way);
  return places;
}

// Selects the places that are tried with every way to save. These are the preferred way overall, of
// each policy, with the most zones, and in one zone (for jobs that cannot move). Places that cost
// about as much as the cheapest are included, too.
TriedWays finalists(const AdviceTrials& trials, const TriedWays& ways) {
  TriedWays chosen;
  const auto add_best_of = [&](auto belongs) {
    TriedWays some;
    std::ranges::copy_if(ways, std::back_inserter(some), belongs);
    if (some.empty()) return;
    const Preferred found = trials.preference().choose(some);
    for (const std::size_t i : {found.best, found.cheapest})
      if (std::ranges::none_of(
              chosen, [&](const TriedAlternative& way) { return same_place(way, some[i]); }))
        chosen.push_back(some[i]);
  };
  const std::size_t most = std::min(trials.question().zones.size(), kMostZones);
  add_best_of([](const TriedAlternative&) { return true; });
  add_best_of([](const TriedAlternative& way) { return way.zones.size() == 1; });
  for (const char* policy :
       {"greedy", "uniform-progress", "uniform-progress-no-hysteresis", "utility:0.1"}) {
    const auto is_it = [&](const TriedAlternative& way) {
      return way.strategy.substr(0, way.strategy.find('+')) == policy;
    };
    add_best_of(is_it);
    add_best_of(
        [&](const TriedAlternative& way) { return is_it(way) && way.zones.size() == most; });
  }
  TriedWays near = cheapest_of_places(trials, ways);
  if (near.size() > kMostNear) near.resize(kMostNear);
  const double enough = (1 + kNear) * mean_of(near.front().cost);
  for (const TriedAlternative& place : near)
    if (mean_of(place.cost) <= enough)
      add_best_of([&](const TriedAlternative& way) { return same_place(way, place); });
  return chosen;
}

// The ways that have not been tried yet.
TriedWays save_otherwise(AdviceTrials& trials, const TriedWays& tried,
                         const TriedAlternative& place, const Choices& choices) {
  const std::array<std::string, 1> strategy{place.strategy};
  auto saves = trials.saves(place.zones, choices);
  std::erase_if(saves, [&](const Save& save) {
    return std::ranges::any_of(tried, [&](const TriedAlternative& way) {
      return way.strategy == place.strategy && way.zones == place.zones &&
             way.saves.policy == save.saves.policy && way.saves.told_work == save.saves.told_work;
    });
  });
  return saves.empty() ? TriedWays{} : trials.attempt(strategy, place.zones, saves);
}

// Extends the search if the best interval is the longest or the shortest one tried.
void widen(AdviceTrials& trials, TriedWays& ways) {
  for (double longest = kTimes.back(), shortest = kTimes.front();;) {
    const TriedAlternative best = ways[trials.preference().choose(ways).best];
    double next = 0;
    if (best.times == longest && longest < kLongest) next = longest *= 2;
    if (best.times == shortest && shortest > kShortest) next = shortest /= 2;
    if (next == 0) return;
    const std::array<double, 1> one{next};
    append(ways, save_otherwise(trials, ways, best, {one, kMargins}));
  }
}

// Tries intervals and margins between the tried ones around the cheapest way.
void refine(AdviceTrials& trials, TriedWays& ways) {
  double times = std::numbers::sqrt2, margin = 0.12;
  for (int i = 0; i < kRefinements; ++i, times = std::sqrt(times), margin /= 2) {
    const TriedAlternative best = ways[trials.preference().choose(ways).cheapest];
    if (best.times == 0) return;
    const std::array<double, 3> near{best.times / times, best.times, best.times * times};
    const std::array<double, 3> margins{std::max(best.margin - margin, 0.0), best.margin,
                                        std::min(best.margin + margin, 1.0)};
    append(ways, save_otherwise(trials, ways, best, {near, margins}));
  }
}

}  // namespace

bool same_place(const TriedAlternative& a, const TriedAlternative& b) {
  return a.strategy == b.strategy && a.zones == b.zones;
}

Zones all_zones(const Question& question) {
  Zones zones(question.zones.size());
  std::iota(zones.begin(), zones.end(), 0);
  return zones;
}

std::vector<TriedAlternative> try_ways(AdviceTrials& trials) {
  TriedWays ways = places(trials);
  for (const TriedAlternative& place : finalists(trials, ways))
    append(ways, save_otherwise(trials, ways, place, kThen));
  widen(trials, ways);
  refine(trials, ways);
  return ways;
}

}  // namespace sim::sweep
