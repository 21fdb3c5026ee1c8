#include "sim/sweep/advice/advice_trials.h"

#include <algorithm>
#include <stdexcept>

#include "policies/checkpoint/interval.h"
#include "sim/sweep/workers.h"
#include "sim/ticks/optimum.h"

namespace sim::sweep {
namespace {

// All zones side by side. A length of zero means the complete trace.
std::vector<ticks::Window> cut_zones(const Question& question, Duration length) {
  const ticks::Cut cut{.tick = question.job.tick,
                       .length = length,
                       .count = question.windows,
                       .seed = question.seed};
  // The market's name is part of random streams, so it is a constant.
  return ticks::cut_side_by_side("job", question.zones, question.moves, cut);
}

// After the deadline only late jobs run, and they run on demand.
std::vector<ticks::Window> windows_of(const Question& question) {
  auto windows = cut_zones(question, question.job.deadline);
  if (windows.empty())
    throw std::length_error(
        "the traces have no time that all zones cover and that is as long as "
        "the deadline");
  if (question.no_trace)
    for (ticks::Window& window : windows) window.place = {};
  if (question.interruptions) ticks::interrupt(windows, question.job.tick, *question.interruptions);
  return windows;
}

ticks::Window only(const ticks::Window& window, const Zones& zones) {
  ticks::Window some{window.market, window.number, {}, window.place};
  for (const std::size_t from : zones) {
    some.pools.pools.push_back(window.pools.pools[from]);
    for (const std::size_t to : zones) some.pools.moves.push_back(window.pools.move(from, to));
  }
  return some;
}

std::vector<ticks::Window> only(const std::vector<ticks::Window>& windows, const Zones& zones) {
  std::vector<ticks::Window> some;
  for (const ticks::Window& window : windows) some.push_back(only(window, zones));
  return some;
}

Dependence dependence_of(const std::vector<ticks::Window>& windows) {
  Grid grid;
  for (const ticks::Window& window : windows) {
    grid.cases.points.push_back({window.market, std::to_string(window.number)});
    grid.places.push_back(window.place);
  }
  return {grid, std::nullopt};
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

std::size_t measure_named(const Grid& grid, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(grid.measures, name, &Measure::name) -
                                  grid.measures.begin());
}

}  // namespace

AdviceTrials::AdviceTrials(const Question& question, unsigned threads)
    : question_(question),
      threads_(threads),
      windows_(windows_of(question)),
      whole_(cut_zones(question, {})),
      dependence_(dependence_of(windows_)),
      preference_(dependence_, question.late_allowed) {}

std::vector<ticks::Window> AdviceTrials::windows(const Zones& zones) const {
  return only(windows_, zones);
}

std::vector<TriedAlternative> AdviceTrials::attempt(std::span<const std::string> strategies,
                                                    const Zones& zones,
                                                    const std::vector<Save>& saves) {
  TickPlan plan{{strategies.begin(), strategies.end()}, {question_.job}, windows(zones), {}};
  for (const Save& save : saves) plan.checkpoints.push_back(save.saves);
  const TickSweep sweep(std::move(plan));
  const Grid& grid = sweep.grid();
  const std::size_t interruptions = measure_named(grid, "interruptions");
  std::vector<TriedAlternative> ways;
  for (std::size_t s = 0; s < strategies.size(); ++s)
    for (std::size_t k = 0; k < saves.size(); ++k)
      ways.push_back({strategies[s], zones, saves[k].saves, saves[k].times, saves[k].margin});
  const Rows rows = run_all(sweep, threads_);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto row = rows.measures(r);
    TriedAlternative& way = ways[static_cast<std::size_t>(grid.variant_of(rows.run(r)))];
    way.cost.push_back(shown(Unit::kUsd, row[kCost]));
    way.hours.push_back(shown(Unit::kHours, row[kMakespan]));
    way.late.push_back(row[kDeadlineMet] == 0 || row[kFinished] != 1);
    way.interruptions.push_back(shown(Unit::kCount, row[interruptions]));
  }
  runs_ += grid.runs();
  return ways;
}

ticks::SpotLife AdviceTrials::life(const Zones& zones) const {
  return ticks::spot_life(only(whole_, zones), question_.job);
}

bool AdviceTrials::nothing_interrupts(const Zones& zones) const {
  return !question_.interruptions && life(zones).interruptions == 0;
}

Duration AdviceTrials::mean_life(const Zones& zones) const {
  const ticks::SpotLife traced = life(zones);
  if (nothing_interrupts(zones)) return std::max(traced.there, Duration(1h));
  double rate = 0;  // the sum of independent causes
  if (const auto mean = traced.mean()) rate += 1 / seconds(*mean);
  if (question_.interruptions) rate += 1 / seconds(question_.interruptions->every);
  return from_seconds(1 / rate);
}

Duration AdviceTrials::interval(const Zones& zones) const {
  const double cost = std::max(seconds(question_.job.checkpoint_cost), 1e-3);
  return from_seconds(policies::exact_interval(cost, seconds(mean_life(zones))));
}

// The work with its checkpoints, plus a share of the slack that remains before a strategy would be
// on demand from the start (safety_net.h), in whole minutes.
Duration AdviceTrials::told_work(const Zones& zones, Duration every, double margin) const {
  const ticks::TickJob& job = question_.job;
  const Duration changeover = job.changeover + only(windows_.front(), zones).pools.longest_move();
  const Duration most = (job.deadline / job.tick - 1) * job.tick - 2 * changeover;
  const Duration saves = every > Duration::zero() ? job.work / every * job.checkpoint_cost : every;
  const Duration least = std::min(job.work + saves, std::max(most, job.work));
  const Duration slack = std::max(most - least, Duration::zero());
  const Duration told = least + from_seconds(margin * seconds(slack));
  return (told + 1min - Duration{1}) / 1min * 1min;
}

Save AdviceTrials::save_every(const Zones& zones, Duration every, const Alternative& like) const {
  const ticks::TickJob& job = question_.job;
  const bool on_notice = like.saves.policy.find("on-notice") != std::string::npos;
  const Duration usual = like.interval().value_or(Duration::zero());
  const double least = seconds(told_work(zones, usual, 0)),
               most = seconds(told_work(zones, usual, 1));
  const double margin =
      most > least ? std::clamp((seconds(like.saves.told_work) - least) / (most - least), 0.0, 1.0)
                   : 0;
  return {{.cost = job.checkpoint_cost,
           .policy = "time:" + format_duration(every) + (on_notice ? ",on-notice" : ""),
           .told_work = every == usual ? like.saves.told_work : told_work(zones, every, margin)},
          0,
          margin};
}

std::vector<Save> AdviceTrials::saves(const Zones& zones, const Choices& choices) const {
  const ticks::TickJob& job = question_.job;
  const double closed_form = static_cast<double>(interval(zones).count());
  const bool fits = job.notice >= job.checkpoint_cost + job.step;
  std::vector<Save> all;
  const auto add = [&](const std::string& policy, Duration every, double times) {
    for (const double margin : choices.margins) {
      const Duration told = told_work(zones, every, margin);
      if (!all.empty() && all.back().saves.policy == policy && all.back().saves.told_work == told)
        continue;
      all.push_back(
          {{.cost = job.checkpoint_cost, .policy = policy, .told_work = told}, times, margin});
    }
  };
  const bool needless = question_.as_traced && nothing_interrupts(zones);
  for (const double times : choices.times) {
    const Duration every = written_down(Duration(static_cast<std::int64_t>(times * closed_form)));
    if (every >= job.work || needless) continue;
    const std::string policy = "time:" + format_duration(every);
    if (fits) add(policy + ",on-notice", every, times);
    add(policy, every, times);
  }
  // If an interval fits into the work, saving on notice alone is not tried, because EC2 does not
  // guarantee a notice.
  if (all.empty()) add(fits ? "on-notice" : "none", Duration::zero(), 0);
  return all;
}

std::vector<std::optional<double>> AdviceTrials::optima(const Zones& zones,
                                                        const CheckpointSettings& saves,
                                                        std::size_t most) const {
  auto some = windows(zones);
  if (some.size() > most) some.erase(some.begin() + static_cast<std::ptrdiff_t>(most), some.end());
  try {
    for (const ticks::Window& window : some) ticks::check_solvable(question_.job, window.pools);
  } catch (const std::logic_error&) {
    return {};
  }
  const TickSweep sweep({{kOptimum}, {question_.job}, std::move(some), {saves}});
  const Rows rows = run_all(sweep, threads_);
  std::vector<std::optional<double>> least(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows.measures(r)[kCost] != kNothing) least[r] = shown(Unit::kUsd, rows.measures(r)[kCost]);
  return least;
}

Distribution AdviceTrials::hours_done(const TriedAlternative& way) const {
  const ticks::TickJob job = with(question_.job, way.saves);
  const auto named = policies::make_strategy(way.strategy);
  std::vector<Observation> hours;
  for (const ticks::Window& window : windows(way.zones)) {
    const ticks::TickOutcome out =
        ticks::run_pools(job, window.pools, *named.strategy, named.oracle);
    hours.push_back(
        {hours.size(), shown(Unit::kHours, (out.ticks * job.tick - out.surplus).count())});
  }
  return distribution_of(hours, dependence_);
}

Duration written_down(Duration interval) {
  const Duration unit = interval >= 10min ? Duration(1min) : Duration(1s);
  return std::max((interval + unit / 2) / unit * unit, unit);
}

}  // namespace sim::sweep
