#include "sim/sweep/tick_sweep.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "sim/kernel/check.h"
#include "sim/ticks/optimum.h"
#include "sim/ticks/pools.h"

namespace sim::sweep {
namespace {

constexpr int kTickSweepVersion = 8;  // of the rules; a change invalidates old rows

// The cost of the job entirely on demand, in the cheapest pool.
market::Usd on_demand_cost(const ticks::TickJob& job, const ticks::Pools& pools) {
  const Duration held = job.work + job.changeover;
  const std::int64_t ticks = (held + job.tick - Duration{1}) / job.tick;
  market::Usd least = ticks::on_demand_price(pools.pools.front(), job);
  for (const ticks::PoolWindow& pool : pools.pools)
    least = std::min(least, ticks::on_demand_price(pool, job));
  if (!job.billing) return market::charge(least, ticks * job.tick);
  market::Usd cost;
  const market::PricePoint price{Time{}, least};
  for (const auto& part :
       instance_bill({&price, 1}, Time{}, Time{} + held, market::Ended::kByCustomer, *job.billing))
    cost += market::charge(part.price, part.billed);
  return cost;
}

// The measures after the common ones.
constexpr std::string_view kGreedy = "greedy";
constexpr std::size_t kSpotBilled = kMakespan + 1;
struct TickMeasure {
  Measure measure;
  std::int64_t (*of)(const ticks::TickJob&, const ticks::TickOutcome&);
};
std::span<const TickMeasure> tick_measures() {
  constexpr auto kMean = Measure::Summary::kMean;
  static const std::array<TickMeasure, 11> kAll{{
      {{"spot_billed", Unit::kHours, kMean},
       [](const ticks::TickJob& job, const ticks::TickOutcome& o) {
         return (o.spot_ticks * job.tick).count();
       }},
      {{"on_demand", Unit::kHours, kMean, true},
       [](const ticks::TickJob&, const ticks::TickOutcome& o) { return o.on_demand_work.count(); }},
      {{"spot", Unit::kHours, kMean, true},
       [](const ticks::TickJob&, const ticks::TickOutcome& o) { return o.spot_work.count(); }},
      {{"changeover", Unit::kHours},
       [](const ticks::TickJob&, const ticks::TickOutcome& o) { return o.changeover.count(); }},
      {{"checkpoint", Unit::kHours, kMean},
       [](const ticks::TickJob&, const ticks::TickOutcome& o) { return o.checkpoint.count(); }},
      {{"lost", Unit::kHours, kMean},
       [](const ticks::TickJob&, const ticks::TickOutcome& o) { return o.lost.count(); }},
      {{"waiting", Unit::kHours},
       [](const ticks::TickJob& job, const ticks::TickOutcome& o) {
         return ((o.ticks - o.on_demand_ticks - o.spot_ticks) * job.tick).count();
       }},
      {{"lateness", Unit::kHours, kMean},
       [](const ticks::TickJob& job, const ticks::TickOutcome& o) {
         if (!o.finished) return kNothing;
         return std::max(o.ticks * job.tick - job.deadline, Duration::zero()).count();
       }},
      {{"launches", Unit::kCount, kMean},
       [](const ticks::TickJob&, const ticks::TickOutcome& o) { return o.launches; }},
      {{"interruptions", Unit::kCount, kMean},
       [](const ticks::TickJob&, const ticks::TickOutcome& o) { return o.interruptions; }},
      {{"egress", Unit::kUsd, kMean},
       [](const ticks::TickJob&, const ticks::TickOutcome& o) { return o.egress.nano; }},
  }};
  return kAll;
}

void put(const ticks::TickJob& job, const ticks::TickOutcome& out, std::span<std::int64_t> row) {
  const Duration makespan = out.ticks * job.tick;
  row[kFinished] = out.finished;
  row[kDeadlineMet] = out.finished && makespan <= job.deadline;
  row[kCost] = out.cost.nano;
  row[kMakespan] = makespan.count();
  const auto own = row.subspan(kMakespan + 1);
  const auto measures = tick_measures();
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = measures[i].of(job, out);
}

// The optimum has a cost and hours on spot. It has no cost if the deadline cannot be met.
void put_optimum(const ticks::TickJob& job, const ticks::Pools& pools,
                 std::span<std::int64_t> row) {
  const auto best = ticks::optimum(job, pools);
  row[kFinished] = row[kDeadlineMet] = best.has_value();
  if (!best) return;
  row[kCost] = best->cost.nano;
  if (best->spot_ticks) row[kSpotBilled] = (*best->spot_ticks * job.tick).count();
}

// True if run_ticks() gives the same result as run_pools(), and faster. That requires one pool at
// the job's prices, never above the on-demand price, which is the bid of a policy without rules.
bool is_plain(const ticks::TickJob& job, const ticks::Pools& pools) {
  const ticks::PoolWindow& pool = pools.pools.front();
  const auto& prices = pool.spot.prices;
  if (job.conventions != ticks::Conventions::kOwn || job.told_work > Duration::zero()) return false;
  if (pools.pools.size() > 1 || pool.on_demand.nano > 0 || pool.spot_price.nano > 0) return false;
  return (prices.empty() ? job.spot : *std::max_element(prices.begin(), prices.end())) <=
         job.on_demand;
}

// One of the plan's policies, made to run.
class Contender {
 public:
  explicit Contender(const std::string& text) {
    if (text == kOptimum) return;
    strategy_ = policies::make_strategy(text);
    if (policies::is_acquisition_policy(text)) alone_ = policies::make_acquisition_policy(text);
  }

  void run(const ticks::TickJob& job, const ticks::Pools& pools,
           std::span<std::int64_t> row) const {
    if (!strategy_)
      put_optimum(job, pools, row);
    else if (alone_ && is_plain(job, pools))
      put(job, ticks::run_ticks(job, pools.pools.front().spot, *alone_->policy, alone_->oracle),
          row);
    else
      put(job, ticks::run_pools(job, pools, *strategy_->strategy, strategy_->oracle), row);
  }

 private:
  std::optional<policies::NamedStrategy> strategy_;
  std::optional<policies::NamedAcquisitionPolicy> alone_;  // where the strategy needs no pools
};

// A program's decisions are unknown before it runs.
bool is_program(std::string_view policy) { return policy.starts_with("command:"); }

// Names the pools of a window for messages.
void name_pools(CaseGroup& group, const ticks::Pools& window) {
  const auto& pools = window.pools;
  const bool same = std::ranges::all_of(pools, [&](const ticks::PoolWindow& pool) {
    return pool.instance_type == pools.front().instance_type;
  });
  if (same) group.instance_type = pools.front().instance_type;
  if (pools.size() > 1)
    for (const ticks::PoolWindow& pool : pools)
      group.pools.push_back(same ? pool.name : pool.instance_type + "/" + pool.name);
}

// One group per market.
std::vector<CaseGroup> markets_of(const std::vector<ticks::Window>& windows) {
  std::vector<CaseGroup> groups;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::string& market = windows[i].market;
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](const CaseGroup& g) { return g.name == market; });
    if (found == groups.end()) {
      found = groups.insert(groups.end(), {market, {}});
      name_pools(*found, windows[i].pools);
    }
    found->cases.push_back(i);
  }
  return groups;
}

// The checkpoint policy; empty if nothing is lost.
std::string policy_of(const CheckpointSettings& saves) {
  if (!saves.policy.empty() || saves.interval == Duration::zero()) return saves.policy;
  return "time:" + format_duration(saves.interval);
}

// The news that settings get at different times before an interruption: " notice=30s".
std::string news_of(const ticks::TickJob& job, const std::vector<ticks::TickJob>& settings) {
  std::string text;
  for (const auto& [name, time] : {std::pair{"notice", &ticks::TickJob::notice},
                                   std::pair{"rebalance", &ticks::TickJob::rebalance}})
    if (std::ranges::any_of(settings,
                            [&](const ticks::TickJob& j) { return j.*time != job.*time; }))
      text += fmt::format(" {}={}", name, format_duration(job.*time));
  return text;
}

// Checkpoint policies have a column, even if there is only one.
bool any_saves(const std::vector<CheckpointSettings>& all) {
  return std::ranges::any_of(
      all, [](const CheckpointSettings& saves) { return !describe(saves).empty(); });
}

}  // namespace

ticks::TickJob with(ticks::TickJob job, const CheckpointSettings& checkpoints) {
  job.checkpoint_interval = checkpoints.interval;
  job.checkpoint_cost = checkpoints.cost;
  job.checkpoint_policy = checkpoints.policy;
  job.told_work = checkpoints.told_work;
  return job;
}

TickSweep::TickSweep(TickPlan plan) : plan_(std::move(plan)) {
  SIM_CHECK(!plan_.checkpoints.empty());
  grid_.settings.columns = {"setting"};
  const bool saves = any_saves(plan_.checkpoints);
  for (const ticks::TickJob& setting : plan_.settings) {
    const ticks::TickJob job = saves ? setting : with(setting, plan_.checkpoints.front());
    const std::string news = news_of(job, plan_.settings);
    grid_.settings.points.push_back({describe(job) + news});
    grid_.deadline_h.push_back(seconds(job.deadline) / 3600);
    grid_.but_for_deadline.push_back(describe(job, false) + news);
  }
  grid_.cases.columns = {"market", "number"};
  for (const ticks::Window& w : plan_.windows) {
    grid_.cases.points.push_back({w.market, std::to_string(w.number)});
    grid_.places.push_back(w.place);
  }
  grid_.groups = markets_of(plan_.windows);
  grid_.measures = common_measures();
  for (const TickMeasure& own : tick_measures()) grid_.measures.push_back(own.measure);
  make_variants();
  name_variants();
  tell_doings();
  grid_.runs_a_block = grid_.variants.size();
}

void TickSweep::make_variants() {
  const auto cheapest = std::ranges::min_element(plan_.checkpoints, {}, &CheckpointSettings::cost) -
                        plan_.checkpoints.begin();
  for (std::size_t p = 0; p < plan_.policies.size(); ++p) {
    const bool is_bound = plan_.policies[p] == kOptimum;
    if (is_bound) grid_.bound = variants_.size(), grid_.utilisation = kSpotBilled;
    // With several ways to save, the reference has none.
    if (plan_.policies[p] == kGreedy && plan_.checkpoints.size() == 1)
      grid_.reference = variants_.size();
    if (is_bound)
      variants_.push_back(
          {p, {.cost = plan_.checkpoints[static_cast<std::size_t>(cheapest)].cost}});
    else
      for (const CheckpointSettings& saves : plan_.checkpoints) variants_.push_back({p, saves});
  }
}

void TickSweep::name_variants() {
  const bool saves = any_saves(plan_.checkpoints);
  grid_.variants.columns = {"policy"};
  if (saves) grid_.variants.columns.push_back("checkpoints");
  for (const Variant& variant : variants_) {
    std::vector<std::string> point{plan_.policies[variant.policy]};
    if (saves) point.push_back(describe(variant.saves));
    grid_.variants.points.push_back(std::move(point));
  }
}

// The policies are the same in every setting.
void TickSweep::tell_doings() {
  const auto& all = plan_.checkpoints;
  const bool costs_vary = std::ranges::any_of(
      all, [&](const CheckpointSettings& saves) { return saves.cost != all.front().cost; });
  std::vector<RunPolicies> run_policies;
  for (const Variant& variant : variants_) {
    const std::string& policy = plan_.policies[variant.policy];
    RunPolicies run = policy == kOptimum ? RunPolicies{.rents = policy, .knows_future = true}
                                         : run_policies_of(policy_of(variant.saves), policy);
    if (costs_vary && !run.saves.empty()) run.checkpoint = variant.saves.cost;
    run_policies.push_back(std::move(run));
  }
  for (std::size_t setting = 0; setting < plan_.settings.size(); ++setting)
    grid_.run_policies.insert(grid_.run_policies.end(), run_policies.begin(), run_policies.end());
}

Rows TickSweep::run(std::span<const std::int64_t> blocks) const {
  const std::vector<Contender> contenders(plan_.policies.begin(), plan_.policies.end());
  Rows rows(grid_.measures.size());
  std::vector<ticks::TickJob> jobs;  // of the present setting, one per variant
  std::int64_t setting = -1;
  for (const std::int64_t block : blocks) {
    const std::int64_t first = block * grid_.runs_a_block;
    if (grid_.setting_of(first) != setting) jobs = jobs_of(setting = grid_.setting_of(first));
    const ticks::Pools& pools = plan_.windows[static_cast<std::size_t>(grid_.case_of(first))].pools;
    const std::int64_t baseline =
        on_demand_cost(plan_.settings[static_cast<std::size_t>(setting)], pools).nano;
    for (std::size_t v = 0; v < variants_.size(); ++v) {
      const auto row = rows.add(first + static_cast<std::int64_t>(v));
      row[kBaseline] = baseline;
      contenders[variants_[v].policy].run(jobs[v], pools, row);
    }
  }
  return rows;
}

std::vector<ticks::TickJob> TickSweep::jobs_of(std::int64_t setting) const {
  std::vector<ticks::TickJob> jobs;
  for (const Variant& variant : variants_) {
    jobs.push_back(with(plan_.settings[static_cast<std::size_t>(setting)], variant.saves));
    if (plan_.policies[variant.policy] == kOptimum) jobs.back().checkpoint_policy = some_policy();
  }
  return jobs;
}

// The optimum uses no policy, but a notice stops its job like any other.
std::string TickSweep::some_policy() const {
  const auto has = std::ranges::find_if(
      plan_.checkpoints, [](const CheckpointSettings& saves) { return !saves.policy.empty(); });
  return has == plan_.checkpoints.end() ? "" : has->policy;
}

// The first window of each setting.
std::vector<std::int64_t> TickSweep::first_blocks() const {
  std::vector<std::int64_t> blocks;
  for (std::int64_t setting = 0; setting < grid_.settings.size(); ++setting)
    blocks.push_back(setting * grid_.cases.size());
  return blocks;
}

Fingerprint TickSweep::make_fingerprint() const {
  XXH3_state_t* const hash = XXH3_createState();
  XXH3_64bits_reset(hash);
  const auto add = [hash](const void* bytes, std::size_t size) {
    XXH3_64bits_update(hash, &size, sizeof size);
    XXH3_64bits_update(hash, bytes, size);
  };
  add(&kTickSweepVersion, sizeof kTickSweepVersion);
  for (const std::string& policy : plan_.policies) add(policy.data(), policy.size());
  for (const ticks::TickJob& job : plan_.settings) {
    const std::array<std::int64_t, 14> of{job.work.count(),
                                          job.deadline.count(),
                                          job.changeover.count(),
                                          job.tick.count(),
                                          job.on_demand.nano,
                                          job.spot.nano,
                                          job.step.count(),
                                          job.epoch.count(),
                                          job.notice.count(),
                                          job.rebalance.count(),
                                          job.billing ? static_cast<int>(*job.billing) : -1,
                                          static_cast<int>(job.conventions),
                                          std::bit_cast<std::int64_t>(job.deadline_ratio),
                                          std::bit_cast<std::int64_t>(job.gigabytes)};
    add(of.data(), sizeof of);
  }
  for (const CheckpointSettings& saves : plan_.checkpoints) {
    const std::array<std::int64_t, 3> of{saves.interval.count(), saves.cost.count(),
                                         saves.told_work.count()};
    add(of.data(), sizeof of);
    add(saves.policy.data(), saves.policy.size());
  }
  for (const ticks::Window& window : plan_.windows) {
    add(window.market.data(), window.market.size());
    for (const ticks::PoolWindow& pool : window.pools.pools) {
      add(pool.name.data(), pool.name.size());
      add(&pool.on_demand, sizeof pool.on_demand);
      add(&pool.spot_price, sizeof pool.spot_price);
      add(pool.spot.available.data(), pool.spot.available.size());
      add(pool.spot.prices.data(), pool.spot.prices.size() * sizeof(market::Usd));
    }
    add(window.pools.moves.data(), window.pools.moves.size() * sizeof(ticks::PoolMove));
  }
  Rows rows(grid_.measures.size());
  if (std::any_of(plan_.policies.begin(), plan_.policies.end(), is_program) &&
      grid_.cases.size() > 0) {
    rows = run(first_blocks());
    add(rows.cells().data(), rows.cells().size() * sizeof(std::int64_t));
  }
  const auto digest = XXH3_64bits_digest(hash);
  XXH3_freeState(hash);
  return {fmt::format("{:016x}", digest), std::move(rows)};
}

std::string describe(const CheckpointSettings& saves) {
  if (saves.policy.empty() && saves.interval == Duration::zero()) return "";
  const std::string cost = "(" + format_duration(saves.cost) + ")";
  return (saves.policy.empty() ? format_duration(saves.interval) : saves.policy) + cost;
}

market::Usd cost_of(const ticks::TickJob& job, const ticks::Pools& pools,
                    const std::string& policy) {
  std::vector<std::int64_t> row(kMakespan + 1 + tick_measures().size(), kNothing);
  Contender(policy).run(job, pools, row);
  return {row[kCost]};
}

std::string describe(const ticks::TickJob& job, bool with_deadline) {
  std::string text = "work=" + format_duration(job.work);
  if (with_deadline) text += " deadline=" + format_duration(job.deadline);
  text += fmt::format(" changeover={} on_demand={} spot={}", format_duration(job.changeover),
                      market::format_usd(job.on_demand), market::format_usd(job.spot));
  const CheckpointSettings saves{job.checkpoint_interval, job.checkpoint_cost,
                                 job.checkpoint_policy};
  if (saves.interval > Duration::zero() || !saves.policy.empty())
    text += " checkpoints=" + describe(saves);
  return text;
}

}  // namespace sim::sweep
