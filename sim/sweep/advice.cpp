#include "sim/sweep/advice.h"

#include <algorithm>
#include <array>

#include "sim/sweep/advice_search.h"
#include "sim/sweep/advice_trials.h"
#include "sim/sweep/advice_what_if.h"

namespace sim::sweep {
namespace {

constexpr std::size_t kOthersTold = 3;
constexpr std::size_t kOptimumWindows = 40;
constexpr std::uint64_t kFreshSeed = 1'000'003;
constexpr std::int64_t kFreshWindows = 1000;

// What a reader would call another way: another policy, or the best one's in one zone in the place
// of several, in several in the place of one, or in another one.
std::string kind_of(const Tried& way, const Tried& best) {
  const auto policy = [](const Tried& w) { return w.strategy.substr(0, w.strategy.find('+')); };
  if (policy(way) != policy(best)) return policy(way);
  return way.zones.size() > 1      ? "several zones"
         : way.zones == best.zones ? "its zone"
                                   : "another zone";
}

bool same_runs(const Tried& a, const Tried& b) { return a.cost == b.cost && a.hours == b.hours; }

Other other_of(const AdviceTrials& trials, const Tried& other, const Tried& best) {
  const Preference& preference = trials.preference();
  return {
      preference.summary(other), preference.dearer(other, best),
      preference.too_late(other) <= preference.too_late(best) && preference.as_cheap(other, best)};
}

// Of each kind the one that would be taken; the best first.
// Where the cheapest way of all is told anyway, it also stands for its strategy and zones.
std::vector<Other> others_of(const AdviceTrials& trials, std::vector<Tried> ways, const Tried& best,
                             const Tried& cheapest) {
  std::vector<Tried> told{best};
  std::vector<Other> others;
  while (others.size() < kOthersTold) {
    std::erase_if(ways, [&](const Tried& way) {
      return std::ranges::any_of(told, [&](const Tried& t) {
        return kind_of(way, best) == kind_of(t, best) || same_runs(way, t);
      });
    });
    if (ways.empty()) break;
    told.push_back(ways[trials.preference().choose(ways).best]);
    if (told.back().strategy == cheapest.strategy && told.back().zones == cheapest.zones)
      told.back() = cheapest;
    others.push_back(other_of(trials, told.back(), best));
  }
  return others;
}

// The advised strategy in its zones, saving by the closed form and on notice as it does.
void add_closed_form(Advice& advice, const AdviceTrials& trials, const std::vector<Tried>& ways,
                     const Tried& best) {
  const auto on_notice = [](const Tried& way) {
    return way.saves.policy.find("on-notice") != std::string::npos;
  };
  const auto found = std::ranges::find_if(ways, [&](const Tried& way) {
    return way.times == 1 && way.strategy == best.strategy && way.zones == best.zones &&
           way.margin == best.margin && on_notice(way) == on_notice(best);
  });
  if (found != ways.end() && best.times != 1 && best.times != 0)
    advice.closed_form = other_of(trials, *found, best);
}

void add_optimum(Advice& advice, const AdviceTrials& trials, const Tried& best) {
  const auto optima = trials.optima(best.zones, best.saves, kOptimumWindows);
  std::vector<double> least, beside;
  for (std::size_t i = 0; i < optima.size(); ++i)
    if (optima[i]) least.push_back(*optima[i]), beside.push_back(best.cost[i]);
  if (least.empty()) return;
  advice.optimum = mean_of(least);
  advice.best_beside_optimum = mean_of(beside);
  advice.optimum_windows = std::ssize(least);
}

// In the zone where it costs the least.
Tried on_demand(AdviceTrials& trials) {
  const auto& zones = trials.question().zones;
  const auto least = std::ranges::min_element(
      zones, {}, [](const PoolTrace& zone) { return zone.on_demand.nano; });
  const std::array<std::string, 1> strategy{"on-demand"};
  return trials
      .attempt(strategy, {static_cast<std::size_t>(least - zones.begin())}, {{Checkpoints{}, 0}})
      .front();
}

Way with_hours_done(const AdviceTrials& trials, const Tried& way) {
  Way told = trials.preference().summary(way);
  told.hours = trials.hours_done(way);
  return told;
}

// Other windows of the same trace, more of them.
Question fresh(const Question& question) {
  Question other = question;
  other.seed = question.seed + kFreshSeed;
  if (other.interruptions) other.interruptions->seed = other.seed;
  other.windows = std::min(kFreshWindows, question.windows * 5);
  return other;
}

// The best way that is in time in fresh windows, too. Removes ways that are late there more often
// than is allowed: a way may be in time by chance in the windows by which it was chosen.
Preferred proven(std::vector<Tried>& ways, AdviceTrials& trials, unsigned threads) {
  const Question question = fresh(trials.question());
  AdviceTrials proof(question, threads);
  while (true) {
    const Preferred found = trials.preference().choose(ways);
    const Tried best = ways[found.best];
    const std::array<std::string, 1> strategy{best.strategy};
    const auto again = proof.attempt(strategy, best.zones, {{best.saves, best.times, best.margin}});
    const bool late = proof.preference().too_late(again.front()) > 0;
    if (!late || ways.size() == 1 || trials.preference().too_late(best) > 0) return found;
    std::erase_if(ways, [&](const Tried& way) {
      return way.strategy == best.strategy && way.zones == best.zones &&
             way.saves.policy == best.saves.policy && way.margin <= best.margin;
    });
  }
}

void add_ways(Advice& advice, AdviceTrials& trials, unsigned threads) {
  std::vector<Tried> ways = try_ways(trials);
  const Tried all_on_demand = on_demand(trials);
  ways.push_back(all_on_demand);
  const Preferred found = proven(ways, trials, threads);
  const Tried best = ways[found.best], cheapest = ways[found.cheapest];
  advice.best = with_hours_done(trials, best);
  advice.on_demand = with_hours_done(trials, all_on_demand);
  advice.reason = found.reason;
  if (found.reason != Reason::kCost) advice.cheapest = other_of(trials, cheapest, best);
  advice.life = trials.life(best.zones);
  advice.mean_life = trials.mean_life(best.zones);
  advice.interval = trials.interval(best.zones);
  advice.longest_move = trials.windows(best.zones).front().pools.longest_move();
  advice.runs = trials.runs();
  std::erase_if(ways, [](const Tried& way) { return way.strategy == "on-demand"; });
  advice.others = others_of(trials, ways, best, cheapest);
  if (best.strategy == "on-demand") return;
  add_closed_form(advice, trials, ways, best);
  add_optimum(advice, trials, best);
}

bool ever_interrupts(const Question& question, unsigned threads) {
  AdviceTrials trials(question, threads);
  return trials.life(all_zones(question)).interruptions > 0;
}

}  // namespace

Advice advise(const Question& asked, unsigned threads) {
  Question question = asked;
  Advice advice;
  if (!asked.interruptions && !asked.as_traced && !ever_interrupts(question, threads)) {
    advice.assumed = true;
    question.interruptions =
        Interruptions{.every = asked.job.deadline, .away = 20min, .seed = asked.seed};
  }
  AdviceTrials trials(question, threads);
  advice.drawn = question.interruptions;
  advice.window = question.job.deadline;
  advice.interval_kind = trials.dependence().kind(),
  advice.clusters = trials.dependence().clusters();
  add_ways(advice, trials, threads);
  if (advice.best.strategy != "on-demand") advice.what_ifs = what_ifs(question, advice, threads);
  return advice;
}

}  // namespace sim::sweep
