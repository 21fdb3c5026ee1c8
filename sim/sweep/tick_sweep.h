// A sweep of acquisition strategies: each on every window in every setting, by the tick rules.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/sweep/grid.h"
#include "sim/ticks/tick_run.h"
#include "sim/ticks/windows.h"

namespace sim::sweep {

// The name under which the least cost that there is (optimum.h) is listed among the policies.
inline constexpr const char* kOptimum = "optimum";

// How a job saves, and what work its strategy is told: TickJob's fields of these names.
struct Checkpoints {
  Duration interval{}, cost{};
  std::string policy{};
  Duration told_work{};
};
TickJob with(TickJob job, const Checkpoints& checkpoints);

// Each policy with each way to save is compared with each other; with the optimum once, where
// saving costs the least.
struct TickPlan {
  std::vector<std::string> policies;  // as make_strategy() reads them, or kOptimum
  std::vector<TickJob> settings;      // but for how they save
  std::vector<Window> windows;
  std::vector<Checkpoints> checkpoints{{}};  // at least one
  // Means over all windows that a paper states, by policy: one for every setting, or one for each.
  // What tests/agreement compares with; they decide no result.
  std::map<std::string, std::vector<market::Usd>> published{};
};

// A block is all variants on one window. Programs among them are run on the first window of each
// setting for the fingerprint.
class TickSweep : public Sweep {
 public:
  explicit TickSweep(TickPlan plan);

  // Throws policies::PolicyFailed for a program that ends, hangs or talks nonsense.
  Rows run(std::span<const std::int64_t> blocks) const override;

  const TickPlan& plan() const { return plan_; }

 protected:
  Fingerprint make_fingerprint() const override;

 private:
  std::vector<std::int64_t> first_blocks() const;
  std::vector<TickJob> jobs_of(std::int64_t setting) const;
  std::string some_policy() const;

  struct Variant {
    std::size_t policy;  // of the plan's
    Checkpoints saves;
  };
  void make_variants();
  void name_variants();
  void tell_doings();

  TickPlan plan_;
  std::vector<Variant> variants_;
};

// "1h(30s)", "daly:6h,on-notice(30s)": when, and what one costs; empty for none.
std::string describe(const Checkpoints& saves);
// What a policy's run over a window costs.
market::Usd cost_of(const TickJob& job, const Pools& pools, const std::string& policy);

// "work=48h deadline=60h changeover=12m on_demand=3.0600 spot=0.9731": a setting for people.
std::string describe(const TickJob& job, bool with_deadline = true);

}  // namespace sim::sweep
