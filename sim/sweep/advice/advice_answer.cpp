#include "sim/sweep/advice/advice_answer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/sweep/advice/advice_search.h"
#include "sim/sweep/advice/advice_trials.h"

namespace sim::sweep {
namespace {

// The curve has a point at each sixth of a doubling, from an eighth to eight times the interval.
constexpr int kSteps = 18, kStepsPerDoubling = 6;

// The intervals of the curve, the advised one among them.
std::vector<Duration> intervals_around(Duration center, const ticks::TickJob& job) {
  std::vector<Duration> all;
  for (int step = -kSteps; step <= kSteps; ++step) {
    const double times = std::exp2(static_cast<double>(step) / kStepsPerDoubling);
    const Duration every = step == 0 ? center : written_down(from_seconds(seconds(center) * times));
    if (every < job.work && every >= job.step) all.push_back(every);
  }
  const auto [first, last] = std::ranges::unique(all);
  all.erase(first, last);
  return all;
}

// The intervals next to the advised one whose ways cost about as much, without a gap.
IntervalRange as_good_range(const std::vector<TriedAlternative>& ways,
                            const std::vector<Duration>& intervals, std::size_t advised,
                            const Preference& preference) {
  const TriedAlternative& best = ways[advised];
  const auto is_as_good = [&](std::size_t i) {
    return preference.too_late(ways[i]) <= preference.too_late(best) &&
           mean_of(ways[i].cost) <= (1 + kAsGood) * mean_of(best.cost);
  };
  std::size_t from = advised, to = advised;
  while (from > 0 && is_as_good(from - 1)) --from;
  while (to + 1 < ways.size() && is_as_good(to + 1)) ++to;
  return {intervals[from], intervals[to]};
}

void add_curve(TypeAnswer& answer, AdviceTrials& trials) {
  const Alternative& best = answer.advice.best;
  if (best.strategy == "on-demand") return;
  const ticks::TickJob& job = trials.question().job;
  const Duration center =
      best.interval().value_or(std::min(written_down(answer.advice.interval), job.work / 2));
  const std::vector<Duration> intervals = intervals_around(center, job);
  if (intervals.empty()) return;
  std::vector<Save> saves;
  for (const Duration every : intervals)
    saves.push_back(trials.save_every(best.zones, every, best));
  const std::array<std::string, 1> strategy{best.strategy};
  const auto ways = trials.attempt(strategy, best.zones, saves);
  for (const TriedAlternative& way : ways) answer.curve.push_back(trials.preference().summary(way));
  const auto advised = std::ranges::find(intervals, center);
  if (best.interval() && advised != intervals.end())
    answer.as_good =
        as_good_range(ways, intervals, static_cast<std::size_t>(advised - intervals.begin()),
                      trials.preference());
}

// Tries today's way in the zones that the job file states, or else in each zone of the question.
// Returns the preferred one.
Alternative tried_today(const Today& today, AdviceTrials& trials) {
  const Question& question = trials.question();
  const std::array<std::string, 1> strategy{today.strategy};
  const Save save{{.cost = question.job.checkpoint_cost, .policy = today.policy}};
  std::vector<TriedAlternative> ways;
  for (const std::size_t zone : today.zone.empty() ? all_zones(question) : today.zone)
    ways.push_back(trials.attempt(strategy, {zone}, {save}).front());
  const TriedAlternative& way = ways[trials.preference().choose(ways).best];
  Alternative found = trials.preference().summary(way);
  found.hours = trials.hours_done(way);
  return found;
}

TypeAnswer answer_for(AdviceFile file, unsigned threads) {
  TypeAnswer answer{std::move(file), {}, {}, {}, {}};
  answer.advice = advise(answer.file.question, threads);
  Question question = answer.file.question;
  question.interruptions = answer.advice.drawn;
  AdviceTrials trials(question, threads);
  add_curve(answer, trials);
  if (answer.file.today) answer.today = tried_today(*answer.file.today, trials);
  return answer;
}

}  // namespace

Answer answer(std::vector<AdviceFile> files, unsigned threads) {
  Answer all;
  for (AdviceFile& file : files) {
    all.types.push_back(answer_for(std::move(file), threads));
    if (all.types.back().today) all.now = all.types.size() - 1;
  }
  const auto too_late = [](const TypeAnswer& type) {
    return std::max(0.0, type.advice.best.late - type.file.question.late_allowed);
  };
  const auto best = std::ranges::min_element(all.types, {}, [&](const TypeAnswer& type) {
    return std::pair(too_late(type), type.advice.best.cost.mean);
  });
  all.best = static_cast<std::size_t>(best - all.types.begin());
  return all;
}

}  // namespace sim::sweep
