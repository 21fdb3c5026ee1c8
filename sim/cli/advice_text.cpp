#include "sim/cli/advice_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "policies/acquisition/strategy.h"
#include "sim/cli/advice_words.h"
#include "sim/cli/text_columns.h"

namespace sim::cli {
namespace {

using sweep::Advice;
using sweep::Question;
using sweep::Way;

std::string zones_of(const Question& question, const Way& way) {
  std::string all;
  for (const std::size_t zone : way.zones)
    all += (all.empty() ? "" : ", ") + question.zones[zone].name;
  return all;
}

std::string life_of(const Advice& advice) {
  if (advice.assumed)
    return fmt::format("spot is assumed to be taken every {}, see below",
                       about(advice.drawn->every));
  if (!advice.life.mean())
    return fmt::format("spot was never taken in {} of these windows", about(advice.life.there));
  return fmt::format("spot lasts {} on average here, {} interruptions seen",
                     about(advice.mean_life), advice.life.interruptions);
}

constexpr std::size_t kLabel = 12;  // columns before what a line says

// What a strategy's name means, below it.
std::string meaning(const std::string& strategy) {
  return wrapped("(" + policies::meaning_of(strategy) + ")", kWidestLine - kLabel,
                 std::string(kLabel, ' '));
}

std::string answer(const Question& question, const Advice& advice, const Styler& styled) {
  const Way& best = advice.best;
  std::string text;
  const auto line = [&](std::string_view what, const std::string& value) {
    text += fmt::format("  {:<10}{}\n", what, value);
  };
  const auto best_line = [&](std::string_view what, const std::string& value) {
    line(what, styled(Style::kGood, value));
  };
  if (best.strategy == "on-demand") {
    best_line("rent", "on demand: no way with spot is cheaper and in time");
  } else {
    best_line("save", fmt::format("{}: --policy {}", saving(best.saves.policy), best.saves.policy));
    line("", fmt::format("(without notice the best interval is {}: {})", about(advice.interval),
                         life_of(advice)));
    best_line("rent", fmt::format("{} with {}", question.instance_type, best.strategy));
    best_line("", "in " + zones_of(question, best));
    text += std::string(kLabel, ' ') + meaning(best.strategy);
  }
  best_line("expect", fmt::format("{}, done in {} (95 % of the runs in {}), late {}",
                                  dollars(best.cost), about_hours(best.hours.mean),
                                  about_hours(best.hours.p95), in_percent(best.late)));
  line("", fmt::format("on demand ${:.2f}; saved {}", advice.on_demand.cost.mean,
                       in_percent(1 - best.cost.mean / advice.on_demand.cost.mean)));
  if (advice.optimum)
    line("at best",
         fmt::format("${:.2f} if the future were known, where this comes to ${:.2f} ({} windows)",
                     *advice.optimum, *advice.best_beside_optimum, advice.optimum_windows));
  return text;
}

std::string others(const Question& question, const Advice& advice, const Styler& styled) {
  if (advice.others.empty()) return "";
  std::size_t wide = 0, saved = 0;
  for (const Way& way : advice.others) {
    wide = std::max(wide, way.strategy.size());
    saved = std::max(saved, saving(way.saves.policy).size());
  }
  std::string text = styled(Style::kHeading, "Next best") + "\n";
  for (const Way& way : advice.others) {
    const std::string zones =
        way.zones.size() > 2 ? fmt::format("{} zones", way.zones.size()) : zones_of(question, way);
    text +=
        fmt::format("  {:<{}}  {:<22}  save {:<{}}  ${:.2f}  late {}\n", way.strategy, wide, zones,
                    saving(way.saves.policy), saved, way.cost.mean, in_percent(way.late));
  }
  return text;
}

std::string what_if(const Advice& advice, const Styler& styled) {
  if (advice.what_ifs.empty()) return "";
  std::string text = styled(Style::kHeading, "What if") + "\n";
  for (const sweep::WhatIf& other : advice.what_ifs) {
    const double change = (other.same.cost.mean / advice.best.cost.mean - 1) * 100;
    const double more = std::abs(change) < 0.05 ? 0 : change;  // no "-0.0"
    text += fmt::format("  {:<38} ${:.2f} ({:+.1f} %), late {}", other.what, other.same.cost.mean,
                        more, in_percent(other.same.late));
    if (other.best.saves.policy != other.same.saves.policy)
      text += fmt::format("; better save {}: ${:.2f}", saving(other.best.saves.policy),
                          other.best.cost.mean);
    text += "\n";
  }
  return text;
}

std::string interval_words(const Advice& advice) {
  switch (advice.interval_kind) {
    case sweep::IntervalKind::kBlocks:
      return fmt::format("they overlap: ± (95 % of the mean) is from {} blocks of the trace",
                         advice.clusters);
    case sweep::IntervalKind::kStudent:
      return "± is 95 % of the mean";
    default:
      return fmt::format(
          "they overlap, and the trace has {} blocks of that length: too few for a ±",
          advice.clusters);
  }
}

std::string interruptions(const Advice& advice) {
  if (!advice.drawn)
    return advice.life.mean() ? "" : "  - nobody being interrupted, as in this trace\n";
  const std::string drawn = fmt::format("every {} on average in each zone, for {}",
                                        about(advice.drawn->every), about(advice.drawn->away));
  if (!advice.assumed) return "  - interruptions drawn on top of the trace: " + drawn + "\n";
  return fmt::format(
      "  - EC2 taking spot {}: an assumption, as nobody is interrupted in this\n"
      "    trace; `interruptions: 6h` says how often it is, `interruptions: none` takes the trace "
      "as it is\n",
      drawn);
}

std::string assumptions(const run::AdviceFile& file, const Advice& advice, const Styler& styled) {
  const Question& question = file.question;
  const sweep::TickJob& job = question.job;
  std::string text = styled(Style::kHeading, "It rests on") + "\n";
  for (const std::string& trace : file.traces)
    text += "  " + wrapped("- the past repeating itself: " + trace, kWidestLine - 2, "    ");
  text += fmt::format("  - {} windows of {}, {} runs; {}\n", question.windows, about(advice.window),
                      advice.runs, interval_words(advice));
  text += interruptions(advice);
  text += fmt::format(
      "  - a restart of {}, a checkpoint of {}, {} of notice, decisions every {}; {}\n",
      about(job.changeover), about(job.checkpoint_cost), about(job.notice), about(job.tick),
      question.moves.cost_anything() ? "moves as told" : "moves between zones are free");
  text += fmt::format(
      "  - EC2's bill by the second: what EC2 takes in its first hour is free, so that more\n"
      "    interruptions can make a job cheaper\n"
      "  - on demand at ${:.4f} an hour ({})\n",
      job.on_demand.dollars(), file.on_demand);
  return text;
}

std::string command(const Question& question, const Advice& advice, const Styler& styled) {
  if (advice.best.strategy == "on-demand") return "";
  return styled(Style::kHeading, "To do it") + "\n" +
         fmt::format(
             "  spotrun submit --job job.json --fleet fleet.json --strategy {} \\\n"
             "                 --work {} --deadline {} --tick {} --changeover {}\n"
             "  fleet.json has the zones (docs/spotrun.md); the trainer saves with --policy {}\n",
             advice.best.strategy, format_duration(question.job.work),
             format_duration(question.job.deadline), format_duration(question.job.tick),
             format_duration(question.job.changeover), advice.best.saves.policy);
}

}  // namespace

std::string advice_text(const run::AdviceFile& file, const Advice& advice, const Styler& styled) {
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
