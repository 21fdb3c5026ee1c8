#include "sim/explore/endless_run.h"

#include <fmt/format.h>

#include "sim/result/invariants/list.h"

namespace sim::explore {
namespace {

constexpr std::size_t kTimesLaunches = 4, kMoreLaunches = 8;
constexpr int kTimesMakespan = 3;

}  // namespace

void EndlessRun::listen(events::Listeners& log, const result::History& history,
                        const result::InvariantRules& rules) {
  in_a_row_ = rules.retries_in_a_row;
  retries_ = result::retries_bounded(rules, so_far_.emplace(history));
  retries_->listen(log);
  log.on(*this, &EndlessRun::call);
}

void EndlessRun::call(const events::ApiCall& event) {
  if (!start_) start_ = event.time;
  int& failures = failures_[{std::string(event.caller), std::string(event.action)}];
  failures = event.result == "ok" ? 0 : failures + 1;
  if (failures > in_a_row_ && retries_->is_broken() &&
      event.time - *start_ > kTimesMakespan * usual_.makespan)
    repeats_ = true;
}

std::size_t EndlessRun::most_instances() const {
  return kMoreLaunches + kTimesLaunches * usual_.launched;
}

std::string EndlessRun::too_many(std::size_t launched) const {
  if (launched <= most_instances()) return "";
  return fmt::format(
      "launched {} instances; the search permits {}, {} more than {} times those of the first run, "
      "and ended this run. The command runs on, and may end otherwise",
      launched, most_instances(), kMoreLaunches, kTimesLaunches);
}

}  // namespace sim::explore
