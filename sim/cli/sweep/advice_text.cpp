#include "sim/cli/sweep/advice_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "policies/acquisition/strategy.h"
#include "sim/cli/sweep/advice_command.h"
#include "sim/cli/sweep/advice_words.h"
#include "sim/cli/terminal/text_columns.h"

namespace sim::cli {
namespace {

using sweep::Advice;
using sweep::Alternative;
using sweep::Question;

constexpr std::size_t kLabel = 12;  // width of a line's label

std::string zones_of(const Question& question, const Alternative& way) {
  std::string all;
  for (const std::size_t zone : way.zones)
    all += (all.empty() ? "" : ", ") + question.zones[zone].name;
  return all;
}

// "us-east-1a", "4 zones".
std::string where(const Question& question, const Alternative& way) {
  return way.zones.size() > 1 ? fmt::format("{} zones", way.zones.size()) : zones_of(question, way);
}

// The mean lifetime M, and its source.
std::string life_of(const Question& question, const Advice& advice) {
  const std::string m = "M, the mean time between interruptions, is " + about(advice.mean_life);
  const std::string seen = fmt::format("{} in the trace of these zones", advice.life.interruptions);
  if (advice.assumed) return m + " by assumption, see below";
  if (advice.drawn && advice.life.interruptions > 0)
    return fmt::format("{}: `interruptions`, and {}", m, seen);
  if (question.no_trace && advice.drawn) return m + ": as the file states";
  if (advice.drawn) return m + ": the file's `interruptions`; the trace has none";
  if (advice.life.interruptions > 0) return fmt::format("{}: measured, {}", m, seen);
  return "M, the mean time between interruptions, is unknown: none in " + about(advice.life.there) +
         " of spot in the trace of these zones";
}

std::string why_saved_so(const Question& question, const Advice& advice) {
  if (!advice.best.saves.policy.starts_with("time:"))
    return advice.nothing_interrupts()
               ? "this trace has no interruption, so earlier checkpoints cost more than they save"
               : fmt::format("every interval that would pay is longer than the work; {}",
                             life_of(question, advice));
  if (!advice.closed_form)
    return life_of(question, advice) + "; the closed form gives the same interval";
  const sweep::Other& other = *advice.closed_form;
  const std::string late = other.way.late == advice.best.late
                               ? ""
                               : fmt::format(", but late {}", in_percent(other.way.late));
  return fmt::format("{}; the closed form, which ignores notices, gives {}: {}{}",
                     life_of(question, advice), saving(other.way.saves.policy),
                     difference(other.dearer.mean, advice.best.cost.mean), late);
}

// An explanation in brackets, below the explained line.
std::string in_brackets(const std::string& text) {
  return std::string(kLabel, ' ') +
         wrapped("(" + text + ")", kWidestLine - kLabel, std::string(kLabel + 1, ' '));
}

std::string_view why_preferred(sweep::Reason reason) {
  switch (reason) {
    case sweep::Reason::kSeldomLate:
      return "; the advised way is late less often";
    case sweep::Reason::kSooner:
      return "; the advised way is done sooner";
    case sweep::Reason::kSeldomTaken:
      return "; the advised way is interrupted less often";
    case sweep::Reason::kPlainer:
      return "; the advised way is simpler";
    default:
      return "";
  }
}

bool same_place(const Alternative& a, const Alternative& b) {
  return a.strategy == b.strategy && a.zones == b.zones;
}

// "utility:0.1 in 4 zones, $36.87".
std::string in_short(const Question& question, const Alternative& way, const Alternative& best) {
  return (same_place(way, best) ? "to save " + saving(way.saves.policy)
                                : way.strategy + " in " + where(question, way)) +
         fmt::format(", {}", dollars(way.cost.mean));
}

constexpr std::size_t kEqualsTold = 2;

// Empty if no other way is equally good.
std::string equally_good(const Question& question, const Advice& advice) {
  std::vector<std::string> all;
  if (advice.cheapest) all.push_back(in_short(question, advice.cheapest->way, advice.best));
  for (const sweep::Other& other : advice.others) {
    const bool told = advice.cheapest && same_place(other.way, advice.cheapest->way);
    if (other.equal && !told && all.size() < kEqualsTold)
      all.push_back(in_short(question, other.way, advice.best));
  }
  if (all.empty()) return "";
  const bool saves_alone = advice.cheapest && same_place(advice.cheapest->way, advice.best);
  return fmt::format("equally good: {}{}", fmt::join(all, "; "),
                     saves_alone ? "; the advised way is nearer to the closed form"
                                 : why_preferred(advice.reason));
}

// The optimum with perfect foresight in the advised zones.
std::string at_best(const Advice& advice) {
  if (!advice.optimum) return "";
  return fmt::format(
      "; with perfect foresight of these zones {} (the advised way in the same windows: {})",
      dollars(*advice.optimum), dollars(*advice.best_beside_optimum));
}

std::string answer(const Question& question, const Advice& advice, const Styler& styled) {
  const Alternative& best = advice.best;
  std::string text;
  const auto line = [&](std::string_view what, const std::string& value,
                        const Styler& look = Styler()) {
    text += fmt::format(
        "  {:<10}{}", what,
        look(Style::kGood, wrapped(value, kWidestLine - kLabel, std::string(kLabel, ' '))));
  };
  const auto best_line = [&](std::string_view what, const std::string& value) {
    line(what, value, styled);
  };
  if (best.strategy == "on-demand") {
    best_line("rent", "on demand: no strategy with spot is cheaper and in time");
  } else {
    best_line("save", fmt::format("{}: --policy {}", saving(best.saves.policy), best.saves.policy));
    text += in_brackets(why_saved_so(question, advice));
    best_line("rent", fmt::format("{} with {} in {}", question.instance_type, best.strategy,
                                  zones_of(question, best)));
    text += in_brackets(policies::meaning_of(best.strategy));
  }
  best_line("expect", fmt::format("{}, done in {} (95 % of the runs in {}), late {}",
                                  dollars(best.cost), about_hours(best.hours.mean),
                                  about_hours(best.hours.p95), in_percent(best.late)));
  line("", fmt::format("on demand {}; saved {}", dollars(advice.on_demand.cost.mean),
                       in_percent(1 - best.cost.mean / advice.on_demand.cost.mean)) +
               at_best(advice));
  const std::string equal = equally_good(question, advice);
  if (!equal.empty()) line("", equal);
  return text;
}

// Why a cheaper way is not advised. Empty if the way is not cheaper.
std::string_view why_not(const sweep::Other& other, const Alternative& best) {
  if (other.dearer.mean >= 0) return "";
  const Alternative& way = other.way;
  if (way.late > best.late) return "; late more often";
  if (way.hours.mean > best.hours.mean) return "; done later";
  if (way.interruptions > best.interruptions) return "; interrupted more often";
  return "; less simple";
}

std::string others(const Question& question, const Advice& advice, const Styler& styled) {
  if (advice.others.empty()) return "";
  struct OtherRow {
    std::string strategy, zones, rest;
  };
  std::vector<OtherRow> rows;
  std::size_t wide = 0, zones = 0, rest = 0;
  const bool any_late = std::ranges::any_of(
      advice.others, [&](const auto& other) { return other.way.late != advice.best.late; });
  for (const sweep::Other& other : advice.others) {
    const Alternative& way = other.way;
    rows.push_back(
        {way.strategy, where(question, way),
         fmt::format("{} ({})  {:>6}{}  {}", dollars(way.cost.mean),
                     difference(other.dearer.mean, advice.best.cost.mean),
                     about_hours(way.hours.mean), any_late ? "  late " + in_percent(way.late) : "",
                     saving(way.saves.policy) + std::string(why_not(other, advice.best)))});
    wide = std::max(wide, rows.back().strategy.size());
    zones = std::max(zones, rows.back().zones.size());
    rest = std::max(rest, rows.back().rest.size());
  }
  wide = std::min(wide, kWidestLine - std::min(kWidestLine - 20, zones + rest + 6));
  std::string text = styled(Style::kHeading, "Next best") + "\n";
  for (const OtherRow& row : rows) {
    const std::string strategy = shortened(row.strategy, wide);
    text += fmt::format("  {}{}  {:<{}}  {}\n", strategy, spaces(wide, strategy), row.zones, zones,
                        row.rest);
  }
  return text;
}

std::string what_if(const Advice& advice, const Styler& styled) {
  if (advice.what_ifs.empty()) return "";
  std::string text = styled(Style::kHeading, "What if") + "\n";
  for (const sweep::WhatIf& other : advice.what_ifs) {
    const double change = (other.same.cost.mean / advice.best.cost.mean - 1) * 100;
    const double more = std::abs(change) < 0.05 ? 0 : change;  // no "-0.0"
    text += fmt::format("  {:<32} ${:.2f} ({:+.1f} %), late {}", other.what, other.same.cost.mean,
                        more, in_percent(other.same.late));
    if (other.best)
      text += fmt::format("\n  {:<32} better: save {}: ${:.2f}, late {}", "",
                          saving(other.best->saves.policy), other.best->cost.mean,
                          in_percent(other.best->late));
    text += "\n";
  }
  return text;
}

std::string interval_words(const Advice& advice) {
  switch (advice.interval_kind) {
    case sweep::IntervalKind::kBlocks:
      return fmt::format(
          "they overlap, so ± (95 % confidence of the mean) comes from {} blocks of the trace",
          advice.clusters);
    case sweep::IntervalKind::kStudent:
      return "± is the 95 % confidence of the mean";
    default:
      return fmt::format(
          "they overlap, and the trace has only {} blocks of that length: too few for a ±",
          advice.clusters);
  }
}

std::string interruptions(const Question& question, const Advice& advice) {
  if (question.no_trace && !advice.drawn) return "  - no interruptions, as the file states\n";
  if (!advice.drawn) return advice.life.mean() ? "" : "  - no interruptions, as in this trace\n";
  const std::string drawn = fmt::format("every {} on average in each zone, for {}",
                                        about(advice.drawn->every), about(advice.drawn->away));
  if (question.no_trace)
    return fmt::format("  - EC2 interrupts spot {} (exponential times){}\n", drawn,
                       advice.assumed ? ": an assumption, set `interrupted: every 6h`" : "");
  if (!advice.assumed) return "  - interruptions drawn on top of the trace: " + drawn + "\n";
  return fmt::format(
      "  - EC2 interrupts spot {}: an assumption, as the trace\n"
      "    has no interruptions; set another interval with `interruptions: 6h`, or use the trace\n"
      "    unchanged with `interruptions: none`\n",
      drawn);
}

std::string all_zone_names(const Question& question) {
  std::vector<std::string> names;
  for (const ticks::PoolTrace& zone : question.zones) names.push_back(zone.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string item(const std::string& text) {
  return "  " + wrapped("- " + text, kWidestLine - 2, "    ");
}

// Explains why interruptions make the job cheaper, if they do.
std::string why_cheaper(const Advice& advice) {
  const bool any = std::ranges::any_of(advice.what_ifs, [&](const sweep::WhatIf& other) {
    return other.what.find("interruption") != std::string::npos &&
           other.same.cost.mean < advice.best.cost.mean;
  });
  return any ? "; an instance that EC2 interrupts in its first hour is free, so interruptions can "
               "make a job cheaper"
             : "";
}

std::string assumptions(const sweep::AdviceFile& file, const Advice& advice, const Styler& styled) {
  const Question& question = file.question;
  const ticks::TickJob& job = question.job;
  std::string text = styled(Style::kHeading, "Assumptions") + "\n";
  if (question.no_trace)
    text +=
        item(fmt::format("no trace: spot costs ${:.4f} an hour at all times in {}, as the file "
                         "states; a trace would show how prices and capacity change",
                         job.spot.dollars(), all_zone_names(question)));
  for (const std::string& trace : file.traces)
    text += item("the future resembles the past: " + trace);
  text += item(fmt::format("{} windows of {}, {} runs; {}", question.windows, about(advice.window),
                           advice.runs, interval_words(advice)));
  text += interruptions(question, advice);
  const std::string moves = question.zones.size() < 2 ? ""
                            : question.moves.cost_anything()
                                ? "; moves cost what the file states"
                                : "; moves between zones are free, because the file has no `moves`";
  text +=
      item(fmt::format("a restart of {}, a checkpoint of {}, {} of notice, decisions every {}{}",
                       about(job.changeover), about(job.checkpoint_cost), about(job.notice),
                       about(job.tick), moves));
  if (advice.best.saves.told_work > Duration::zero())
    text += item(
        fmt::format("the strategy plans for {} of work, which includes checkpoints and a margin",
                    format_duration(advice.best.saves.told_work)));
  text += item(fmt::format("EC2's bill by the second, on demand at ${:.4f} an hour ({}){}",
                           job.on_demand.dollars(), file.on_demand, why_cheaper(advice)));
  return text;
}

std::string command(const Question& question, const Advice& advice, const Styler& styled) {
  const std::string heading = styled(Style::kHeading, "Commands") + "\n";
  const std::string fleet = advice.best.strategy == "on-demand"
                                ? ""
                                : ", fleet.json what to launch in each of these zones";
  return heading + advice_command(question, advice) + "  (job.json says what to train" + fleet +
         ": docs/spotrun.md)\n";
}

}  // namespace

std::string advice_text(const sweep::AdviceFile& file, const Advice& advice, const Styler& styled) {
  const Question& question = file.question;
  std::string text = styled(Style::kHeading,
                            fmt::format("{}: {} of work on {}, within {}", question.name,
                                        format_duration(question.job.work), question.instance_type,
                                        format_duration(question.job.deadline))) +
                     "\n" + answer(question, advice, styled);
  for (const std::string& part :
       {others(question, advice, styled), what_if(advice, styled),
        assumptions(file, advice, styled), command(question, advice, styled)})
    if (!part.empty()) text += "\n" + part;
  return text;
}

}  // namespace sim::cli
