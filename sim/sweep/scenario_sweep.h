// A sweep of whole scenarios: runs with fiber or process guests, each of a scenario with some keys
// changed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/run/run.h"
#include "sim/scenario/overrides.h"
#include "sim/sweep/combination.h"
#include "sim/sweep/grid.h"

namespace sim::sweep {

// Combinations of values for some keys. Each combination has a value for every key.
struct OverrideAxis {
  std::vector<std::string> keys;
  std::vector<scenario::Overrides> points{scenario::Overrides{}};
};

struct ScenarioFile {
  std::string text;
  std::filesystem::path file;
};

struct ScenarioPlan {
  // Several are variants, each combined with all of `compared`.
  std::vector<ScenarioFile> scenarios;
  scenario::Overrides fixed;  // for all runs
  OverrideAxis settings, compared;
  std::vector<std::uint64_t> seeds;  // empty: the first scenario's seed
  scenario::GuestKind guest = scenario::GuestKind::kFiber;

  std::size_t variants() const { return scenarios.size() * compared.points.size(); }
  const ScenarioFile& scenario(std::size_t variant) const {
    return scenarios[variant / compared.points.size()];
  }
  const scenario::Overrides& comparison(std::size_t variant) const {
    return compared.points[variant % compared.points.size()];
  }
  // The scenario's changes in this setting and variant, in the order in which they apply.
  scenario::Overrides overrides(std::size_t setting, std::size_t variant) const;
};

// A block is one run.
class ScenarioSweep : public Sweep {
 public:
  // Reads and checks the scenario in every setting and variant. Throws ScenarioError with the
  // errors of all of them, and RunError.
  explicit ScenarioSweep(ScenarioPlan plan);

  void stop_on(const std::atomic<bool>& stop) override { stop_ = &stop; }
  Rows run(std::span<const std::int64_t> blocks) const override;
  bool needs_processes() const override { return plan_.guest == scenario::GuestKind::kProcess; }
  // Runs that did not complete, or that broke an invariant.
  std::vector<std::string> failures(const Rows& rows) const override;
  std::string replay(std::int64_t run) const override;

 protected:
  // With fiber guests, the fingerprint's rows are those of each combination's first run. With
  // process guests it covers the programs' files, and has no rows.
  Fingerprint make_fingerprint() const override;

 private:
  Axis variants() const;
  void check_names() const;
  std::string hint() const;
  const Combination& combination(std::int64_t run) const;
  std::uint64_t seed(std::int64_t run) const;
  std::string make(std::int64_t run, LogText text, Rows& rows) const;

  ScenarioPlan plan_;
  const std::atomic<bool>* stop_ = nullptr;
  std::vector<Combination> combinations_;  // [setting · variants + variant]
};

}  // namespace sim::sweep
