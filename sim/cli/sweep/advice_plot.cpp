#include "sim/cli/sweep/advice_plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/sweep/advice_summary.h"
#include "sim/cli/sweep/advice_words.h"
#include "sim/cli/terminal/chart.h"

namespace sim::cli {
namespace {

using sweep::Alternative;

double minutes(Duration time) { return seconds(time) / 60; }

ChartPoint cost_point(const Alternative& way) {
  return {.x = minutes(way.interval().value_or(1min)), .y = way.cost.mean, .hollow = way.late > 0};
}

}  // namespace

std::string advice_picture(const sweep::Answer& answer) {
  const sweep::TypeAnswer& type = answer.advised();
  const Alternative& best = type.advice.best;
  Chart chart{.title = verdict(answer).substr(0, verdict(answer).find(": about")),
              .x = "time between checkpoints, minutes (hollow: some runs are late)",
              .y = "mean cost of a run, $",
              .log_x = true};
  ChartSeries curve{.name = "the advised way, with other intervals", .points = {}, .dots = false};
  for (const Alternative& way : type.curve) curve.points.push_back(cost_point(way));
  chart.series.push_back(std::move(curve));
  if (best.interval()) {
    ChartPoint point = cost_point(best);
    point.half_width = best.cost.half_width_95;
    point.label = "advised: " + time_words(*best.interval());
    chart.series.push_back({.name = "advised", .points = {point}});
  }
  if (type.as_good)
    chart.band = {.from = minutes(type.as_good->from),
                  .to = minutes(type.as_good->to),
                  .label = "within 1 %"};
  if (const Alternative* const today = answer.today(); today && today->interval()) {
    ChartPoint point = cost_point(*today);
    point.label = "today: " + dollars(today->cost.mean);
    chart.series.push_back(
        {.name = fmt::format("today: save {}, {}", saving(today->saves.policy), today->strategy),
         .points = {point}});
  }
  return drawn(chart);
}

}  // namespace sim::cli
