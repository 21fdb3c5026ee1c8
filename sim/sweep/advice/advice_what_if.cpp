#include "sim/sweep/advice/advice_what_if.h"

#include <array>

#include "sim/kernel/random.h"
#include "sim/sweep/advice/advice_trials.h"

namespace sim::sweep {
namespace {

constexpr std::array<double, 5> kMultiples{1, 0.25, 0.5, 2, 4};
constexpr std::array<double, 3> kWhatIfMargins{0, 0.5, 0.9};

// The advised way in another world, and a better way to save there in the same zones.
WhatIf what_if(const std::string& what, const Question& question, const Alternative& way,
               unsigned threads) {
  AdviceTrials trials(question, threads);
  auto saves = trials.saves(way.zones, {kMultiples, kWhatIfMargins});
  CheckpointSettings same = way.saves;
  same.cost = question.job.checkpoint_cost;
  std::erase_if(saves, [&](const Save& save) {
    return save.saves.policy == same.policy && save.saves.told_work == same.told_work;
  });
  saves.insert(saves.begin(), {same, 0});
  const std::array<std::string, 1> strategy{way.strategy};
  const auto ways = trials.attempt(strategy, way.zones, saves);
  const Preference& preference = trials.preference();
  WhatIf found{what, trials.mean_life(way.zones), preference.summary(ways.front()), {}};
  const TriedAlternative& best = ways[preference.choose(ways).best];
  const bool later = preference.too_late(ways.front()) > preference.too_late(best);
  const bool dearer = mean_of(ways.front().cost) > mean_of(best.cost);
  if (later || (dearer && !preference.as_cheap(ways.front(), best)))
    found.best = preference.summary(best);
  return found;
}

// The question with interruptions of this mean instead of the assumed ones.
Question taken_every(const Question& question, Duration every) {
  Question other = question;
  other.interruptions->every = every;
  return other;
}

// The question with as many interruptions again, drawn on top of all others.
Question taken_twice_as_often(const Question& question, const Advice& advice) {
  Question often = question;
  double rate = 1 / seconds(advice.mean_life);
  if (question.interruptions) rate += 1 / seconds(question.interruptions->every);
  const Duration away = question.interruptions ? question.interruptions->away : Duration(20min);
  often.interruptions =
      ticks::Interruptions{.every = from_seconds(1 / rate), .away = away, .seed = question.seed};
  often.as_traced = false;
  return often;
}

// Spot stays for each of the trace's interruptions with a chance of one half. An interruption by a
// price above on-demand stays.
void leave_out_half(ticks::PoolTrace& zone, Stream stream) {
  std::vector<traces::CapacityStep> steps;
  for (traces::CapacityStep step : zone.series.steps) {
    if (step.instances == 0 && !steps.empty() && stream.next() % 2 == 0) continue;
    if (steps.empty() || steps.back().instances != step.instances) steps.push_back(step);
  }
  zone.series.steps = std::move(steps);
}

Question taken_half_as_often(const Question& question) {
  Question seldom = question;
  if (seldom.interruptions) seldom.interruptions->every *= 2;
  const Streams streams(question.seed);
  for (ticks::PoolTrace& zone : seldom.zones)
    leave_out_half(zone, streams.stream("interruptions left out", zone.name));
  return seldom;
}

}  // namespace

std::vector<WhatIf> what_ifs(const Question& question, const Advice& advice, unsigned threads) {
  std::vector<WhatIf> all;
  const auto add = [&](const std::string& what, const Question& other) {
    all.push_back(what_if(what, other, advice.best, threads));
  };
  if (advice.nothing_interrupts()) {
    add("one interruption in a run's time", [&] {
      Question some = question;
      some.interruptions = ticks::Interruptions{
          .every = question.job.deadline, .away = 20min, .seed = question.seed};
      return some;
    }());
  } else {
    add("interruptions twice as often", taken_twice_as_often(question, advice));
    add("interruptions half as often", taken_half_as_often(question));
  }
  for (const Duration every : {Duration(6h), Duration(2h)})
    if (advice.assumed && every < question.interruptions->every)
      add("interruptions every " + format_duration(every), taken_every(question, every));
  if (advice.best.saves.policy.find("on-notice") != std::string::npos) {
    Question none = question;
    none.job.notice = Duration::zero();
    add("no notice at all", none);
  }
  Question slow = question;
  slow.job.checkpoint_cost *= 2;
  add("checkpoints twice as long", slow);
  return all;
}

}  // namespace sim::sweep
