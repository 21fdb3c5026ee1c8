#include "sim/sweep/grid.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "sim/sweep/optimum.h"

namespace sim::sweep {
namespace {

constexpr int kVersion = 1;  // of the rules; a change of them makes old rows useless

Row row_of(const TickJob& job, const TickOutcome& out) {
  const Duration makespan = out.ticks * job.tick;
  return {.finished = out.finished,
          .deadline_met = out.finished && makespan <= job.deadline,
          .cost_nano_usd = out.cost.nano,
          .makespan = makespan.count(),
          .on_demand_work = out.on_demand_work.count(),
          .spot_work = out.spot_work.count(),
          .changeover = out.changeover.count(),
          .checkpoint = out.checkpoint.count(),
          .lost = out.lost.count(),
          .waiting = ((out.ticks - out.on_demand_ticks - out.spot_ticks) * job.tick).count(),
          .launches = out.launches,
          .interruptions = out.interruptions};
}

Row optimum_row(const TickJob& job, const SpotWindow& window) {
  const auto cost = least_cost(job, window);
  return {.finished = cost.has_value(),
          .deadline_met = cost.has_value(),
          .cost_nano_usd = cost ? cost->nano : 0};
}

}  // namespace

std::vector<Row> run_blocks(const Grid& grid, std::span<const std::int64_t> blocks) {
  std::vector<policies::NamedAcquisitionPolicy> made;
  for (const std::string& text : grid.policies) {
    made.push_back(text == kOptimum ? policies::NamedAcquisitionPolicy{text, false, nullptr}
                                    : policies::make_acquisition_policy(text));
  }
  std::vector<Row> rows;
  const auto windows = static_cast<std::int64_t>(grid.windows.size());
  for (const std::int64_t block : blocks) {
    const std::int64_t setting = block / windows, window = block % windows;
    const TickJob& job = grid.settings[static_cast<std::size_t>(setting)];
    const SpotWindow& spot = grid.windows[static_cast<std::size_t>(window)].spot;
    for (std::size_t p = 0; p < made.size(); ++p) {
      Row row = made[p].policy ? row_of(job, run_ticks(job, spot, *made[p].policy, made[p].oracle))
                               : optimum_row(job, spot);
      row.setting = setting;
      row.window = window;
      row.policy = static_cast<std::int64_t>(p);
      rows.push_back(row);
    }
  }
  return rows;
}

std::string Grid::fingerprint() const {
  XXH3_state_t* const hash = XXH3_createState();
  XXH3_64bits_reset(hash);
  const auto add = [hash](const void* bytes, std::size_t size) {
    XXH3_64bits_update(hash, &size, sizeof size);
    XXH3_64bits_update(hash, bytes, size);
  };
  add(&kVersion, sizeof kVersion);
  for (const std::string& policy : policies) add(policy.data(), policy.size());
  for (const TickJob& job : settings) add(&job, sizeof job);
  for (const Window& window : windows) {
    add(window.market.data(), window.market.size());
    add(window.spot.available.data(), window.spot.available.size());
    add(window.spot.prices.data(), window.spot.prices.size() * sizeof(market::Usd));
  }
  const auto digest = XXH3_64bits_digest(hash);
  XXH3_freeState(hash);
  return fmt::format("{:016x}", digest);
}

}  // namespace sim::sweep
