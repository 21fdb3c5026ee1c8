#include "sim/sweep/advice_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace sim::sweep {
namespace {

constexpr std::size_t kMostZones = 8;  // together
constexpr std::array<double, 1> kOnce{1};
constexpr std::array<double, 5> kTimes{0.25, 0.5, 1, 2, 4};
constexpr std::array<double, 3> kFewMargins{0, 0.5, 0.9};
constexpr std::array<double, 5> kMargins{0, 0.25, 0.5, 0.75, 0.95};
constexpr Choices kFirst{kOnce, kFewMargins}, kThen{kTimes, kMargins};
constexpr int kRefinements = 3;
constexpr double kLongest = 64, kShortest = 1.0 / 64;  // beyond these multiples nobody looks

// What to rent where one zone is open, and where several are.
const std::array<std::string, 4> kAlone{"greedy", "uniform-progress",
                                        "uniform-progress-no-hysteresis", "utility:0.1"};
const std::array<std::string, 7> kTogether{"greedy+lowest-price",
                                           "greedy+leave-interrupted",
                                           "uniform-progress+lowest-price",
                                           "uniform-progress+leave-interrupted",
                                           "uniform-progress+price-capacity-optimized",
                                           "uniform-progress-no-hysteresis+leave-interrupted",
                                           "utility:0.1"};

using Ways = std::vector<Tried>;

void append(Ways& ways, const Ways& more) { ways.insert(ways.end(), more.begin(), more.end()); }

// The zones, the best alone first; adds what was tried.
Zones best_alone_first(AdviceTrials& trials, Ways& ways) {
  Ways alone;
  for (const std::size_t zone : all_zones(trials.question())) {
    const Ways more = trials.attempt(kAlone, {zone}, trials.saves({zone}, kFirst));
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

Ways places(AdviceTrials& trials) {
  Ways ways;
  const Zones best = best_alone_first(trials, ways);
  for (std::size_t n = 2; n <= std::min(best.size(), kMostZones); ++n) {
    Zones zones(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(n));
    std::ranges::sort(zones);
    append(ways, trials.attempt(kTogether, zones, trials.saves(zones, kFirst)));
  }
  return ways;
}

// Those that meet every way to save: what would be taken of all, of each policy, also in the most
// zones, and of those in one zone, which are open to a job whether it can move or not.
Ways finalists(const AdviceTrials& trials, const Ways& ways) {
  Ways chosen;
  const auto add_best_of = [&](auto belongs) {
    Ways some;
    std::ranges::copy_if(ways, std::back_inserter(some), belongs);
    if (some.empty()) return;
    const Preferred found = trials.preference().choose(some);
    for (const std::size_t i : {found.best, found.cheapest})
      if (std::ranges::none_of(chosen, [&](const Tried& way) {
            return way.strategy == some[i].strategy && way.zones == some[i].zones;
          }))
        chosen.push_back(some[i]);
  };
  const std::size_t most = std::min(trials.question().zones.size(), kMostZones);
  add_best_of([](const Tried&) { return true; });
  add_best_of([](const Tried& way) { return way.zones.size() == 1; });
  for (const char* policy :
       {"greedy", "uniform-progress", "uniform-progress-no-hysteresis", "utility:0.1"}) {
    const auto is_it = [&](const Tried& way) {
      return way.strategy.substr(0, way.strategy.find('+')) == policy;
    };
    add_best_of(is_it);
    add_best_of([&](const Tried& way) { return is_it(way) && way.zones.size() == most; });
  }
  return chosen;
}

// Those that have not been tried yet.
Ways save_otherwise(AdviceTrials& trials, const Ways& tried, const Tried& place,
                    const Choices& choices) {
  const std::array<std::string, 1> strategy{place.strategy};
  auto saves = trials.saves(place.zones, choices);
  std::erase_if(saves, [&](const Save& save) {
    return std::ranges::any_of(tried, [&](const Tried& way) {
      return way.strategy == place.strategy && way.zones == place.zones &&
             way.saves.policy == save.saves.policy && way.saves.told_work == save.saves.told_work;
    });
  });
  return saves.empty() ? Ways{} : trials.attempt(strategy, place.zones, saves);
}

// Where the best interval is the longest or the shortest that was tried, the search goes on.
void widen(AdviceTrials& trials, Ways& ways) {
  for (double longest = kTimes.back(), shortest = kTimes.front();;) {
    const Tried best = ways[trials.preference().choose(ways).best];
    double next = 0;
    if (best.times == longest && longest < kLongest) next = longest *= 2;
    if (best.times == shortest && shortest > kShortest) next = shortest /= 2;
    if (next == 0) return;
    const std::array<double, 1> one{next};
    append(ways, save_otherwise(trials, ways, best, {one, kMargins}));
  }
}

// Around the cheapest: intervals and margins between those that were tried.
void refine(AdviceTrials& trials, Ways& ways) {
  double times = std::numbers::sqrt2, margin = 0.12;
  for (int i = 0; i < kRefinements; ++i, times = std::sqrt(times), margin /= 2) {
    const Tried best = ways[trials.preference().choose(ways).cheapest];
    if (best.times == 0) return;
    const std::array<double, 3> near{best.times / times, best.times, best.times * times};
    const std::array<double, 3> margins{std::max(best.margin - margin, 0.0), best.margin,
                                        std::min(best.margin + margin, 1.0)};
    append(ways, save_otherwise(trials, ways, best, {near, margins}));
  }
}

}  // namespace

Zones all_zones(const Question& question) {
  Zones zones(question.zones.size());
  std::iota(zones.begin(), zones.end(), 0);
  return zones;
}

std::vector<Tried> try_ways(AdviceTrials& trials) {
  Ways ways = places(trials);
  for (const Tried& place : finalists(trials, ways))
    append(ways, save_otherwise(trials, ways, place, kThen));
  widen(trials, ways);
  refine(trials, ways);
  return ways;
}

}  // namespace sim::sweep
