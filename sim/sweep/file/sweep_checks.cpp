#include "sim/sweep/file/sweep_checks.h"

#include <fmt/format.h>

#include <algorithm>

namespace sim::sweep {
namespace {

using ticks::PoolWindow;
using ticks::TickJob;
using ticks::Window;

constexpr Duration kLongestSaving = std::chrono::hours(24 * 365 * 10);  // ten years

void warn(scenario::Errors& warnings, const scenario::Value& value, const std::string& message) {
  warnings.add(value.place(), value.key(), "warning: " + message);
}

Duration length_of(const Window& window, Duration tick) {
  std::size_t ticks = 0;
  for (const PoolWindow& pool : window.pools.pools)
    ticks = std::max(ticks, pool.spot.available.size());
  return static_cast<std::int64_t>(ticks) * tick;
}

void check_lengths(const std::vector<Window>& windows, const std::vector<TickJob>& settings,
                   const scenario::Value& trace, scenario::Errors& warnings) {
  const Duration tick = settings.front().tick;
  const Duration deadline = std::ranges::max(settings, {}, &TickJob::deadline).deadline;
  Duration shortest = length_of(windows.front(), tick);
  for (const Window& window : windows) shortest = std::min(shortest, length_of(window, tick));
  if (shortest >= deadline) return;
  warn(
      warnings, trace,
      fmt::format("found windows of {}, shorter than the deadline of {}: after their end there is "
                  "no spot, expected a `length` of at least {}",
                  format_duration(shortest), format_duration(deadline), format_duration(deadline)));
}

// True if spot is available in the whole window at prices that exceed no bid.
bool never_interrupts(const PoolWindow& pool, const TickJob& job, bool bids) {
  if (!std::ranges::all_of(pool.spot.available, [](auto n) { return n > 0; })) return false;
  const auto& prices = pool.spot.prices;
  if (prices.empty()) return true;
  const auto [least, most] = std::ranges::minmax(prices);
  return bids ? least == most : most <= ticks::on_demand_price(pool, job);
}

void check_interruptions(const std::vector<Window>& windows, const std::vector<TickJob>& settings,
                         bool bids, const scenario::Value& trace, scenario::Errors& warnings) {
  for (const Window& window : windows)
    for (const PoolWindow& pool : window.pools.pools)
      for (const TickJob& job : settings)
        if (!never_interrupts(pool, job, bids)) return;
  warn(warnings, trace,
       fmt::format("found spot that is always available, at prices that {}: nothing is "
                   "interrupted, expected {}a trace of availability in addition to the prices",
                   bids ? "never change" : "never rise above on-demand, which is the usual bid",
                   bids ? "" : "policies that bid less, such as greedy+bid-share:0.4, or "));
}

}  // namespace

void check_ticks(const std::vector<TickJob>& settings, const scenario::Value& job) {
  if (settings.empty()) return;
  const Duration tick = settings.front().tick;
  const Duration shortest = std::ranges::min(settings, {}, &TickJob::deadline).deadline;
  if (tick <= shortest) return;
  job.find("tick").value_or(job).reject(
      fmt::format("found a tick of {}, longer than the deadline of {}: policies would decide once, "
                  "expected ticks of minutes such as 10m",
                  format_duration(tick), format_duration(shortest)));
}

void check_deadlines(const std::vector<TickJob>& settings, const scenario::Value& job,
                     scenario::Errors& warnings) {
  const auto hopeless = [](const TickJob& j) { return j.deadline < j.work + j.changeover; };
  const auto found = std::ranges::find_if(settings, hopeless);
  if (found == settings.end()) return;
  const std::string message = fmt::format(
      "found a deadline of {} for {} of work after a changeover of {}, which no run can meet, "
      "expected at least {}",
      format_duration(found->deadline), format_duration(found->work),
      format_duration(found->changeover), format_duration(found->work + found->changeover));
  const scenario::Value place = job.find("deadline").value_or(job);
  if (std::ranges::all_of(settings, hopeless))
    place.reject(message);
  else
    warn(warnings, place, message);
}

void check_checkpoints(const std::vector<TickJob>& settings,
                       const std::vector<CheckpointSettings>& checkpoints,
                       const scenario::Value& job) {
  const scenario::Value place = job.find("checkpoints").value_or(job);
  for (const CheckpointSettings& saves : checkpoints)
    for (const TickJob& setting : settings) {
      if (saves.interval <= Duration::zero()) continue;
      const double all = seconds(setting.work) / seconds(saves.interval) * seconds(saves.cost);
      if (all <= seconds(kLongestSaving)) continue;
      return place.reject(fmt::format(
          "found {} of work with a checkpoint of {} after every {}, which take {:.3g} years, "
          "expected at most ten",
          format_duration(setting.work), format_duration(saves.cost),
          format_duration(saves.interval), all / seconds(kLongestSaving) * 10));
    }
}

void check_windows(const std::vector<Window>& windows, const std::vector<TickJob>& settings,
                   const std::vector<std::string>& policies, const scenario::Value& trace,
                   scenario::Errors& warnings) {
  if (windows.empty() || settings.empty()) return;
  check_lengths(windows, settings, trace, warnings);
  const bool bids = std::ranges::any_of(
      policies, [](const std::string& policy) { return policy.find("+bid-") != policy.npos; });
  check_interruptions(windows, settings, bids, trace, warnings);
}

}  // namespace sim::sweep
