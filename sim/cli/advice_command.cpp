#include "sim/cli/advice_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "policies/checkpoint/words.h"

namespace sim::cli {
namespace {

constexpr std::string_view kEvery = "time:";

// The job's work with its checkpoints, to the minute: what spotrun is told.
Duration with_checkpoints(Duration work, const sweep::Checkpoints& saves) {
  for (const std::string_view policy : policies::split_list(saves.policy))
    if (policy.starts_with(kEvery))
      if (const auto every = parse_duration(policy.substr(kEvery.size())))
        work += work / *every * saves.cost;
  return (work + Duration(1min) - Duration(1)) / Duration(1min) * Duration(1min);
}

// Of a job whose deadline leaves no room for checkpoints, its work alone; spotrun decides up to 3.5
// minutes late (docs/spotrun.md).
Duration work_told(const sweep::TickJob& job, const sweep::Checkpoints& saves) {
  const Duration most = job.deadline - job.changeover - job.tick - 210s;
  return std::max(job.work, std::min(with_checkpoints(job.work, saves), most));
}

}  // namespace

std::string advice_command(const sweep::Question& question, const sweep::Advice& advice) {
  const sweep::Way& best = advice.best;
  if (best.strategy == "on-demand")
    return fmt::format("  spotrun submit --job job.json --on-demand {}/{}\n",
                       question.instance_type, question.zones[best.zones.front()].name);
  const std::string move = advice.longest_move > Duration::zero()
                               ? " --move " + format_duration(advice.longest_move)
                               : "";
  return fmt::format(
      "  spotrun submit --job job.json --fleet fleet.json --strategy {} \\\n"
      "                 --work {} --deadline {} --tick {} --changeover {}{}\n",
      best.strategy, format_duration(work_told(question.job, best.saves)),
      format_duration(question.job.deadline), format_duration(question.job.tick),
      format_duration(std::max(question.job.changeover, Duration(1s))), move);
}

}  // namespace sim::cli
