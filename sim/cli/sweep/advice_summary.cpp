#include "sim/cli/sweep/advice_summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "sim/cli/sweep/advice_words.h"
#include "sim/cli/terminal/text_columns.h"

namespace sim::cli {
namespace {

using sweep::Alternative;
using sweep::Answer;
using sweep::TypeAnswer;

constexpr std::size_t kTypesShown = 4, kZonesNamed = 2;
constexpr double kNoChange = 0.005;  // share of the cost

bool is_on_demand(const Alternative& way) { return way.strategy == "on-demand"; }

// Three digits: "$15.4", "$369", "$0.0123".
std::string about_dollars(double usd) {
  if (usd >= 100) return fmt::format("${:.0f}", usd);
  return usd >= 10 ? fmt::format("${:.1f}", usd) : fmt::format("${:.{}f}", usd, usd < 1 ? 4 : 2);
}
std::string about_percent(double share) { return fmt::format("{:.0f} %", share * 100); }
std::string done_in(const Alternative& way) {
  return time_words(from_seconds(way.hours.mean * 3600));
}

// "every 40 min and on notice"
std::string when_to_save(const Alternative& way) {
  const auto every = way.interval();
  if (!every) return saving(way.saves.policy);
  return "every " + time_words(*every) +
         (way.saves.policy.find("on-notice") == std::string::npos ? "" : " and on notice");
}

// "us-east-1b", "us-east-2a, us-west-2a and 2 more zones"
std::string where_to_rent(const TypeAnswer& type, const Alternative& way) {
  std::vector<std::string> names;
  for (const std::size_t zone : way.zones) names.push_back(type.file.question.zones[zone].name);
  if (names.size() == 1) return names.front();
  if (names.size() <= kZonesNamed + 1)
    return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
  return fmt::format("{} and {} more zones",
                     fmt::join(names.begin(), names.begin() + kZonesNamed, ", "),
                     names.size() - kZonesNamed);
}

// "25 to 70 min", or with both units if they differ.
std::string range_words(const sweep::IntervalRange& range) {
  const std::string from = time_words(range.from), to = time_words(range.to);
  const std::size_t unit = from.find(' ');
  const bool same_unit = from.substr(unit) == to.substr(to.find(' '));
  return (same_unit ? from.substr(0, unit) : from) + " to " + to;
}

std::string cost_words(const TypeAnswer& type) {
  const Alternative &best = type.advice.best, &on_demand = type.advice.on_demand;
  const double less = 1 - best.cost.mean / on_demand.cost.mean;
  return fmt::format("about {} ({} {} than on demand)", about_dollars(best.cost.mean),
                     about_percent(std::abs(less)), less < 0 ? "more" : "less");
}

std::string late_words(const Alternative& way) {
  return way.late > 0 ? fmt::format(" ({} of the runs are late)", in_percent(way.late)) : "";
}

std::string today_words(const TypeAnswer& type, bool with_type) {
  const Alternative& way = *type.today;
  const std::string save = saving(way.saves.policy);
  return fmt::format(
      "save {}, {}{} in {}", save, with_type ? type.file.question.instance_type + " " : "",
      is_on_demand(way) ? "on demand" : "with " + way.strategy, where_to_rent(type, way));
}

// "4 % late", if some runs are.
std::string table_late(const Alternative& way) {
  return way.late > 0 ? in_percent(way.late) + " late" : "";
}

std::vector<std::string> type_row(const Answer& answer, const TypeAnswer& type,
                                  const Alternative& way, std::string mark) {
  const std::string how = is_on_demand(way) ? "on demand" : "spot in " + where_to_rent(type, way);
  return {std::move(mark),
          type.file.question.instance_type,
          fmt::format("speed {:g}", type.file.speed),
          dollars(way.cost.mean),
          done_in(way),
          is_on_demand(way) && &way != answer.today() ? how : how + ", saves " + when_to_save(way),
          table_late(way)};
}

// The instance types, the best first, and today's way.
std::string type_table(const Answer& answer) {
  if (answer.types.size() < 2) return "";
  const std::vector<const TypeAnswer*> sorted = types_best_first(answer);
  std::vector<std::vector<std::string>> rows;
  for (const TypeAnswer* type : sorted)
    if (rows.size() < kTypesShown)
      rows.push_back(type_row(answer, *type, type->advice.best, rows.empty() ? "*" : ""));
  if (answer.now)
    rows.push_back(type_row(answer, answer.types[*answer.now], *answer.today(), "today"));
  using Side = Column::Side;
  std::string text;
  for (const std::string& line :
       aligned(rows, {{}, {}, {}, {0, Side::kRight}, {0, Side::kRight}, {}, {}}))
    text += "  " + shortened(line, kWidestLine - 2) + "\n";
  if (sorted.size() > kTypesShown)
    text += fmt::format("  … and {} dearer ones, with --details\n", sorted.size() - kTypesShown);
  return text;
}

std::string indented(const std::string& text) {
  return "  " + wrapped(text, kWidestLine - 2, "    ");
}

// The assumptions of the answer, in a line.
std::string basis(const TypeAnswer& type) {
  const sweep::Question& question = type.file.question;
  const sweep::Advice& advice = type.advice;
  const std::string spot =
      fmt::format("spot at ${:g} an hour at all times", question.job.spot.dollars());
  if (advice.assumed)
    return fmt::format("Assumed: {}, an interruption every {} (state `interrupted: every 6h`)",
                       question.no_trace ? spot : "EC2 interrupts, though the trace shows none",
                       time_words(advice.mean_life));
  if (question.no_trace && advice.drawn)
    return fmt::format("Assumed: {}, interrupted every {} on average (exponential), for {}", spot,
                       time_words(advice.drawn->every), time_words(advice.drawn->away));
  if (advice.nothing_interrupts()) return "Assumed: nothing interrupts, as in the trace";
  return "";
}

}  // namespace

std::string time_words(Duration time) {
  if (time < 2min) return fmt::format("{:.0f} s", seconds(time));
  if (time < 2h) return fmt::format("{:.0f} min", seconds(time) / 60);
  const double hours = seconds(time) / 3600;
  const double tenth = std::round(hours * 10) / 10;
  return tenth < 10 && tenth != std::round(tenth) ? fmt::format("{:.1f} h", tenth)
                                                  : fmt::format("{:.0f} h", hours);
}

std::vector<const TypeAnswer*> types_best_first(const Answer& answer) {
  std::vector<const TypeAnswer*> sorted;
  for (const TypeAnswer& type : answer.types) sorted.push_back(&type);
  std::ranges::stable_sort(sorted, {}, [&](const TypeAnswer* type) {
    return std::tuple(type != &answer.advised(), type->advice.best.late,
                      type->advice.best.cost.mean);
  });
  return sorted;
}

std::string verdict(const Answer& answer) {
  const TypeAnswer& type = answer.advised();
  const Alternative& best = type.advice.best;
  const std::string which =
      answer.types.size() > 1 ? " " + type.file.question.instance_type : std::string();
  if (is_on_demand(best))
    return fmt::format(
        "Rent{} on demand in {}: {}, done in {}; no way with spot is cheaper and in "
        "time.",
        which, where_to_rent(type, best), about_dollars(best.cost.mean), done_in(best));
  const std::string range =
      type.as_good && type.as_good->from < type.as_good->to
          ? "; any interval from " + range_words(*type.as_good) + " is within 1 %"
          : "";
  return fmt::format("Save {}, on{} spot in {}: {}, done in {}{}{}.", when_to_save(best), which,
                     where_to_rent(type, best), cost_words(type), done_in(best), late_words(best),
                     range);
}

std::string instead_of_today(const Answer& answer) {
  const Alternative* const today = answer.today();
  if (!today) return "";
  const TypeAnswer& now = answer.types[*answer.now];
  const Alternative& best = answer.advised().advice.best;
  const double saved = today->cost.mean - best.cost.mean, share = saved / today->cost.mean;
  const std::string from =
      fmt::format("Compared with what you do today ({}: {}, done in {}{})",
                  today_words(now, answer.types.size() > 1), dollars(today->cost.mean),
                  done_in(*today), late_words(*today));
  const std::string in_time = today->late > best.late ? ", and more runs are in time" : "";
  if (std::abs(share) < kNoChange)
    return fmt::format("{}, this advice saves nothing{}.", from, in_time);
  if (saved < 0)
    return fmt::format("{}, this advice costs {} more a run ({}){}.", from, dollars(-saved),
                       about_percent(-share), in_time);
  return fmt::format("{}, this advice saves {} a run ({}){}.", from, dollars(saved),
                     about_percent(share), in_time);
}

std::string advice_summary(const Answer& answer, const Styler& styled) {
  const TypeAnswer& type = answer.advised();
  const Alternative& best = type.advice.best;
  std::string text;
  const std::string change = instead_of_today(answer);
  if (!change.empty()) text += wrapped(change);
  text += styled(Style::kGood, wrapped(verdict(answer)));
  text += type_table(answer);
  if (!is_on_demand(best))
    text += indented(
        fmt::format("The way: --policy {} --strategy {}", best.saves.policy, best.strategy));
  const std::string rests_on = basis(type);
  if (!rests_on.empty()) text += indented(rests_on);
  return text +
         "  --details: next best ways, what if, assumptions, commands; --plot cost.svg: a "
         "picture\n";
}

}  // namespace sim::cli
