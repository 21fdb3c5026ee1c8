#include "sim/sweep/advice/advice.h"

#include <algorithm>
#include <array>

#include "sim/sweep/advice/advice_search.h"
#include "sim/sweep/advice/advice_trials.h"
#include "sim/sweep/advice/advice_what_if.h"

namespace sim::sweep {
namespace {

constexpr std::size_t kOthersTold = 3;
constexpr std::size_t kOptimumWindows = 40;
constexpr std::uint64_t kFreshSeed = 1'000'003;
constexpr std::int64_t kFreshWindows = 1000;
// A way that is this much more expensive in the search's windows may still be the cheapest in
// others.
constexpr double kMaybeCheapest = 0.06;

// The kind of a way for a reader: another policy, one zone instead of several, several instead of
// one, or another single zone.
std::string kind_of(const TriedAlternative& way, const TriedAlternative& best) {
  const auto policy = [](const TriedAlternative& w) {
    return w.strategy.substr(0, w.strategy.find('+'));
  };
  if (policy(way) != policy(best)) return policy(way);
  return way.zones.size() > 1      ? "several zones"
         : way.zones == best.zones ? "its zone"
                                   : "another zone";
}

bool same_runs(const TriedAlternative& a, const TriedAlternative& b) {
  return a.cost == b.cost && a.hours == b.hours;
}

Other other_of(const AdviceTrials& trials, const TriedAlternative& other,
               const TriedAlternative& best) {
  const Preference& preference = trials.preference();
  return {
      preference.summary(other), preference.dearer(other, best),
      preference.too_late(other) <= preference.too_late(best) && preference.as_cheap(other, best)};
}

// The preferred way of each kind, the best first. The cheapest way of all, if it is shown anyway,
// also represents its strategy and zones.
std::vector<Other> others_of(const AdviceTrials& trials, std::vector<TriedAlternative> ways,
                             const TriedAlternative& best, const TriedAlternative& cheapest) {
  std::vector<TriedAlternative> told{best};
  std::vector<Other> others;
  while (others.size() < kOthersTold) {
    std::erase_if(ways, [&](const TriedAlternative& way) {
      return std::ranges::any_of(told, [&](const TriedAlternative& t) {
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

// Adds the advised strategy in its zones with the closed form's interval, saving on notice like the
// advised way.
void add_closed_form(Advice& advice, const AdviceTrials& trials,
                     const std::vector<TriedAlternative>& ways, const TriedAlternative& best) {
  const auto on_notice = [](const TriedAlternative& way) {
    return way.saves.policy.find("on-notice") != std::string::npos;
  };
  const auto found = std::ranges::find_if(ways, [&](const TriedAlternative& way) {
    return way.times == 1 && way.strategy == best.strategy && way.zones == best.zones &&
           way.margin == best.margin && on_notice(way) == on_notice(best);
  });
  if (found != ways.end() && best.times != 1 && best.times != 0)
    advice.closed_form = other_of(trials, *found, best);
}

void add_optimum(Advice& advice, const AdviceTrials& trials, const TriedAlternative& best) {
  const auto optima = trials.optima(best.zones, best.saves, kOptimumWindows);
  std::vector<double> least, beside;
  for (std::size_t i = 0; i < optima.size(); ++i)
    if (optima[i]) least.push_back(*optima[i]), beside.push_back(best.cost[i]);
  if (least.empty()) return;
  advice.optimum = mean_of(least);
  advice.best_beside_optimum = mean_of(beside);
  advice.optimum_windows = std::ssize(least);
}

// On demand in the cheapest zone.
TriedAlternative on_demand(AdviceTrials& trials) {
  const auto& zones = trials.question().zones;
  const auto least = std::ranges::min_element(
      zones, {}, [](const ticks::PoolTrace& zone) { return zone.on_demand.nano; });
  const std::array<std::string, 1> strategy{"on-demand"};
  return trials
      .attempt(strategy, {static_cast<std::size_t>(least - zones.begin())},
               {{CheckpointSettings{}, 0}})
      .front();
}

Alternative with_hours_done(const AdviceTrials& trials, const TriedAlternative& way) {
  Alternative told = trials.preference().summary(way);
  told.hours = trials.hours_done(way);
  return told;
}

// The same question with other and more windows of the same trace.
Question fresh(const Question& question) {
  Question other = question;
  other.seed = question.seed + kFreshSeed;
  if (other.interruptions) other.interruptions->seed = other.seed;
  other.windows = std::min(kFreshWindows, question.windows * 5);
  return other;
}

// For each strategy and zones that may be the cheapest: the preferred way and the cheapest way.
std::vector<TriedAlternative> best_of_places(const std::vector<TriedAlternative>& ways,
                                             const Preference& preference) {
  const TriedAlternative& cheapest = ways[preference.choose(ways).cheapest];
  std::vector<TriedAlternative> found;
  for (const TriedAlternative& way : ways) {
    if (preference.too_late(way) > preference.too_late(cheapest)) continue;
    if (mean_of(way.cost) > (1 + kMaybeCheapest) * mean_of(cheapest.cost)) continue;
    if (std::ranges::any_of(found, [&](const TriedAlternative& f) { return same_place(f, way); }))
      continue;
    std::vector<TriedAlternative> own;
    std::ranges::copy_if(ways, std::back_inserter(own),
                         [&](const TriedAlternative& w) { return same_place(w, way); });
    const Preferred preferred = preference.choose(own);
    found.push_back(own[preferred.best]);
    if (preferred.cheapest != preferred.best) found.push_back(own[preferred.cheapest]);
  }
  return found;
}

// Chooses the best way by fresh windows. A way may have been in time or cheap by chance in the
// windows of the search. It removes ways that are late too often in the fresh windows, and ways
// that were cheaper than the best only in the search's windows.
class Proof {
 public:
  Proof(const AdviceTrials& trials, unsigned threads)
      : preference_(trials.preference()),
        question_(fresh(trials.question())),
        fresh_(question_, threads) {}

  Preferred choose(std::vector<TriedAlternative>& ways) {
    while (true) {
      const std::vector<TriedAlternative> found = best_of_places(ways, preference_);
      std::vector<TriedAlternative> again;
      for (const TriedAlternative& way : found) again.push_back(tried_again(way));
      if (remove_late(ways, found, again)) continue;
      const Preferred taken = fresh_.preference().choose(again);
      remove_dearer(ways, found, again, taken);
      return {index_of(ways, found[taken.best]), index_of(ways, found[taken.cheapest]),
              taken.reason};
    }
  }

 private:
  TriedAlternative tried_again(const TriedAlternative& way) {
    const std::array<std::string, 1> strategy{way.strategy};
    return fresh_.attempt(strategy, way.zones, {{way.saves, way.times, way.margin}}).front();
  }

  // True if it removed late ways and others remain.
  bool remove_late(std::vector<TriedAlternative>& ways, const std::vector<TriedAlternative>& found,
                   const std::vector<TriedAlternative>& again) {
    bool removed = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (fresh_.preference().too_late(again[i]) == 0 || preference_.too_late(found[i]) > 0)
        continue;
      const auto no_better = [&](const TriedAlternative& way) {
        return same_place(way, found[i]) && way.saves.policy == found[i].saves.policy &&
               way.margin <= found[i].margin;
      };
      if (std::ranges::all_of(ways, no_better)) continue;
      std::erase_if(ways, no_better), removed = true;
    }
    return removed;
  }

  void remove_dearer(std::vector<TriedAlternative>& ways,
                     const std::vector<TriedAlternative>& found,
                     const std::vector<TriedAlternative>& again, const Preferred& taken) {
    const double cost = mean_of(found[taken.best].cost);
    const auto is_cheap_at = [&](const TriedAlternative& place) {
      for (std::size_t i = 0; i < found.size(); ++i)
        if (same_place(found[i], place) &&
            fresh_.preference().as_cheap(again[i], again[taken.cheapest]))
          return true;
      return false;
    };
    for (const TriedAlternative& place : found) {
      if (is_cheap_at(place)) continue;
      std::erase_if(ways, [&](const TriedAlternative& way) {
        return same_place(way, place) && mean_of(way.cost) < cost;
      });
    }
  }

  static std::size_t index_of(const std::vector<TriedAlternative>& ways,
                              const TriedAlternative& way) {
    const auto at = std::ranges::find_if(ways, [&](const TriedAlternative& w) {
      return same_place(w, way) && w.saves.policy == way.saves.policy &&
             w.saves.told_work == way.saves.told_work;
    });
    return static_cast<std::size_t>(at - ways.begin());
  }

  const Preference& preference_;
  Question question_;
  AdviceTrials fresh_;
};

// The preferred way of each group of equal ways. A group with the best way has that one.
template <typename Same>
std::vector<Alternative> one_of_each(const Preference& preference,
                                     const std::vector<TriedAlternative>& ways,
                                     const TriedAlternative& best, const Same& same) {
  std::vector<std::vector<TriedAlternative>> groups;
  for (const TriedAlternative& way : ways) {
    const auto own = std::ranges::find_if(groups, [&](const std::vector<TriedAlternative>& group) {
      return same(group.front(), way);
    });
    (own == groups.end() ? groups.emplace_back() : *own).push_back(way);
  }
  std::vector<Alternative> chosen;
  for (const std::vector<TriedAlternative>& group : groups)
    chosen.push_back(preference.summary(
        same(group.front(), best) ? best : group[preference.choose(group).best]));
  return chosen;
}

void add_pictures(Advice& advice, const Preference& preference, std::vector<TriedAlternative> ways,
                  const TriedAlternative& best) {
  advice.places = one_of_each(preference, ways, best, same_place);
  std::erase_if(ways, [&](const TriedAlternative& way) { return !same_place(way, best); });
  advice.saves =
      one_of_each(preference, ways, best, [](const TriedAlternative& a, const TriedAlternative& b) {
        return a.saves.policy == b.saves.policy;
      });
}

void add_ways(Advice& advice, AdviceTrials& trials, unsigned threads) {
  std::vector<TriedAlternative> ways = try_ways(trials);
  const std::vector<TriedAlternative> tried = ways;
  const TriedAlternative all_on_demand = on_demand(trials);
  ways.push_back(all_on_demand);
  const Preferred found = Proof(trials, threads).choose(ways);
  const TriedAlternative best = ways[found.best], cheapest = ways[found.cheapest];
  advice.best = with_hours_done(trials, best);
  advice.on_demand = with_hours_done(trials, all_on_demand);
  advice.reason = found.reason;
  if (found.reason != Reason::kCost) advice.cheapest = other_of(trials, cheapest, best);
  advice.life = trials.life(best.zones);
  advice.mean_life = trials.mean_life(best.zones);
  advice.interval = trials.interval(best.zones);
  advice.longest_move = trials.windows(best.zones).front().pools.longest_move();
  advice.runs = trials.runs();
  add_pictures(advice, trials.preference(), tried, best);
  std::erase_if(ways, [](const TriedAlternative& way) { return way.strategy == "on-demand"; });
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
        ticks::Interruptions{.every = asked.job.deadline, .away = 20min, .seed = asked.seed};
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
