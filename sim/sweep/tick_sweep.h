// A sweep of acquisition strategies: it runs each strategy on every window in every setting, by the
// tick rules.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/sweep/grid.h"
#include "sim/ticks/tick_run.h"
#include "sim/ticks/windows.h"

namespace sim::sweep {

// The name of the optimum (optimum.h) in the list of policies: the least possible cost.
inline constexpr const char* kOptimum = "optimum";

// How a job saves, and the work that its strategy plans for: TickJob's fields with these names.
struct CheckpointSettings {
  Duration interval{}, cost{};
  std::string policy{};
  Duration told_work{};
};
ticks::TickJob with(ticks::TickJob job, const CheckpointSettings& checkpoints);

// Every combination of a policy and a way to save is a variant. The optimum is one variant, with
// the cheapest way to save.
struct TickPlan {
  std::vector<std::string> policies;     // as make_strategy() reads them, or kOptimum
  std::vector<ticks::TickJob> settings;  // without how they save
  std::vector<ticks::Window> windows;
  std::vector<CheckpointSettings> checkpoints{{}};  // at least one
  // Published means over all windows, by policy: one for every setting, or one for each.
  // tests/agreement compares with them; they do not influence results.
  std::map<std::string, std::vector<market::Usd>> published{};
};

// A block has all variants on one window. For the fingerprint, programs among them run on the first
// window of each setting.
class TickSweep : public Sweep {
 public:
  explicit TickSweep(TickPlan plan);

  // Throws policies::PolicyFailed if a program ends, hangs or answers nonsense.
  Rows run(std::span<const std::int64_t> blocks) const override;

  const TickPlan& plan() const { return plan_; }

 protected:
  Fingerprint make_fingerprint() const override;

 private:
  std::vector<std::int64_t> first_blocks() const;
  std::vector<ticks::TickJob> jobs_of(std::int64_t setting) const;
  std::string some_policy() const;

  struct Variant {
    std::size_t policy;  // index in the plan
    CheckpointSettings saves;
  };
  void make_variants();
  void name_variants();
  void tell_doings();

  TickPlan plan_;
  std::vector<Variant> variants_;
};

// "1h(30s)", "daly:6h,on-notice(30s)": when, and the cost of a checkpoint. Empty for none.
std::string describe(const CheckpointSettings& saves);
// The cost of a policy's run over a window.
market::Usd cost_of(const ticks::TickJob& job, const ticks::Pools& pools,
                    const std::string& policy);

// A setting in words: "work=48h deadline=60h changeover=12m on_demand=3.0600 spot=0.9731".
std::string describe(const ticks::TickJob& job, bool with_deadline = true);

}  // namespace sim::sweep
