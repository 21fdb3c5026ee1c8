#include "sim/sweep/tick_sweep.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "sim/sweep/optimum.h"

namespace sim::sweep {
namespace {

constexpr int kVersion = 2;  // of the rules; a change of them makes old rows useless

// The job on demand from beginning to end.
market::Usd on_demand_cost(const TickJob& job) {
  const std::int64_t ticks = (job.work + job.changeover + job.tick - Duration{1}) / job.tick;
  return market::charge(job.on_demand, ticks * job.tick);
}

// The measures after the common ones.
struct TickMeasure {
  Measure measure;
  std::int64_t (*of)(const TickJob&, const TickOutcome&);
};
const std::array<TickMeasure, 8>& tick_measures() {
  constexpr auto kMean = Measure::Summary::kMean;
  static const std::array<TickMeasure, 8> kAll{{
      {{"on_demand", Unit::kHours, kMean, true},
       [](const TickJob&, const TickOutcome& o) { return o.on_demand_work.count(); }},
      {{"spot", Unit::kHours, kMean, true},
       [](const TickJob&, const TickOutcome& o) { return o.spot_work.count(); }},
      {{"changeover", Unit::kHours},
       [](const TickJob&, const TickOutcome& o) { return o.changeover.count(); }},
      {{"checkpoint", Unit::kHours, kMean},
       [](const TickJob&, const TickOutcome& o) { return o.checkpoint.count(); }},
      {{"lost", Unit::kHours, kMean},
       [](const TickJob&, const TickOutcome& o) { return o.lost.count(); }},
      {{"waiting", Unit::kHours},
       [](const TickJob& job, const TickOutcome& o) {
         return ((o.ticks - o.on_demand_ticks - o.spot_ticks) * job.tick).count();
       }},
      {{"launches", Unit::kCount, kMean},
       [](const TickJob&, const TickOutcome& o) { return o.launches; }},
      {{"interruptions", Unit::kCount, kMean},
       [](const TickJob&, const TickOutcome& o) { return o.interruptions; }},
  }};
  return kAll;
}

void put(const TickJob& job, const TickOutcome& out, std::span<std::int64_t> row) {
  const Duration makespan = out.ticks * job.tick;
  row[kFinished] = out.finished;
  row[kDeadlineMet] = out.finished && makespan <= job.deadline;
  row[kCost] = out.cost.nano;
  row[kMakespan] = makespan.count();
  for (std::size_t i = 0; i < tick_measures().size(); ++i)
    row[kMakespan + 1 + i] = tick_measures()[i].of(job, out);
}

// A cost only; there is one, or the deadline cannot be met.
void put_optimum(const TickJob& job, const SpotWindow& window, std::span<std::int64_t> row) {
  const auto cost = least_cost(job, window);
  row[kFinished] = row[kDeadlineMet] = cost.has_value();
  if (cost) row[kCost] = cost->nano;
}

}  // namespace

TickSweep::TickSweep(TickPlan plan) : plan_(std::move(plan)) {
  grid_.settings.columns = {"setting"};
  for (const TickJob& job : plan_.settings) grid_.settings.points.push_back({describe(job)});
  grid_.cases.columns = {"market", "number"};
  for (const Window& w : plan_.windows)
    grid_.cases.points.push_back({w.market, std::to_string(w.number)});
  grid_.variants.columns = {"policy"};
  for (const std::string& policy : plan_.policies) grid_.variants.points.push_back({policy});
  grid_.measures = common_measures();
  for (const TickMeasure& own : tick_measures()) grid_.measures.push_back(own.measure);
  grid_.runs_a_block = grid_.variants.size();
  const auto optimum = std::find(plan_.policies.begin(), plan_.policies.end(), kOptimum);
  if (optimum != plan_.policies.end())
    grid_.bound = static_cast<std::size_t>(optimum - plan_.policies.begin());
}

Rows TickSweep::run(std::span<const std::int64_t> blocks) const {
  std::vector<policies::NamedAcquisitionPolicy> made;
  for (const std::string& text : plan_.policies) {
    made.push_back(text == kOptimum ? policies::NamedAcquisitionPolicy{text, false, nullptr}
                                    : policies::make_acquisition_policy(text));
  }
  Rows rows(grid_.measures.size());
  for (const std::int64_t block : blocks) {
    const std::int64_t first = block * grid_.runs_a_block;
    const TickJob& job = plan_.settings[static_cast<std::size_t>(grid_.setting_of(first))];
    const SpotWindow& spot = plan_.windows[static_cast<std::size_t>(grid_.case_of(first))].spot;
    for (std::size_t p = 0; p < made.size(); ++p) {
      const auto row = rows.add(first + static_cast<std::int64_t>(p));
      row[kBaseline] = on_demand_cost(job).nano;
      if (made[p].policy)
        put(job, run_ticks(job, spot, *made[p].policy, made[p].oracle), row);
      else
        put_optimum(job, spot, row);
    }
  }
  return rows;
}

std::string TickSweep::fingerprint() const {
  XXH3_state_t* const hash = XXH3_createState();
  XXH3_64bits_reset(hash);
  const auto add = [hash](const void* bytes, std::size_t size) {
    XXH3_64bits_update(hash, &size, sizeof size);
    XXH3_64bits_update(hash, bytes, size);
  };
  add(&kVersion, sizeof kVersion);
  for (const std::string& policy : plan_.policies) add(policy.data(), policy.size());
  for (const TickJob& job : plan_.settings) add(&job, sizeof job);
  for (const Window& window : plan_.windows) {
    add(window.market.data(), window.market.size());
    add(window.spot.available.data(), window.spot.available.size());
    add(window.spot.prices.data(), window.spot.prices.size() * sizeof(market::Usd));
  }
  const auto digest = XXH3_64bits_digest(hash);
  XXH3_freeState(hash);
  return fmt::format("{:016x}", digest);
}

std::string describe(const TickJob& job) {
  std::string text = fmt::format("work={} deadline={} changeover={} on_demand={} spot={}",
                                 format_duration(job.work), format_duration(job.deadline),
                                 format_duration(job.changeover), market::format_usd(job.on_demand),
                                 market::format_usd(job.spot));
  if (job.checkpoint_interval > Duration::zero() || job.checkpoint_cost > Duration::zero()) {
    text +=
        fmt::format(" checkpoint_interval={} checkpoint_cost={}",
                    format_duration(job.checkpoint_interval), format_duration(job.checkpoint_cost));
  }
  return text;
}

}  // namespace sim::sweep
