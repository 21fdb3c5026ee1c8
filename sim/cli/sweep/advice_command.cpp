#include "sim/cli/sweep/advice_command.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::cli {

std::string advice_command(const sweep::Question& question, const sweep::Advice& advice) {
  const sweep::Alternative& best = advice.best;
  if (best.strategy == "on-demand")
    return fmt::format("  spotrun submit --job job.json --on-demand {}/{}\n",
                       question.instance_type, question.zones[best.zones.front()].name);
  const std::string move = advice.longest_move > Duration::zero()
                               ? " --move " + format_duration(advice.longest_move)
                               : "";
  return fmt::format(
      "  spotrun submit --job job.json --fleet fleet.json --strategy {} \\\n"
      "                 --work {} --deadline {} --tick {} --changeover {}{}\n",
      best.strategy, format_duration(best.saves.told_work), format_duration(question.job.deadline),
      format_duration(question.job.tick),
      format_duration(std::max(question.job.changeover, Duration(1s))), move);
}

}  // namespace sim::cli
