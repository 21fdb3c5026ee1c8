// Runs a scenario with one fault plan after another, in addition to the scenario's own faults, and
// collects the invariants that each run breaks.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/explore/endless_run.h"
#include "sim/explore/log_print.h"
#include "sim/explore/strike_points.h"
#include "sim/faults/kinds.h"
#include "sim/result/result.h"
#include "sim/run/run.h"
#include "sim/scenario/scenario.h"

namespace sim::explore {

// The folder of the run without a fault, in the folder of a search.
inline constexpr const char* kFaultFree = "fault-free";

// A plan as its entries' YAML.
using PlanText = std::vector<std::string>;
// "[{…}, {…}]", the value of a scenario's `faults`.
std::string to_yaml(const PlanText& plan);

// A claim that a run breaks: an invariant, or the scenario's expectations.
struct Breach {
  std::string id;        // the invariant's ID
  std::string sentence;  // the claim
  std::string found;
  std::vector<std::string> lines;  // lines of the log that show the breach
};

// Invariants that the scenario breaks by itself, as its `expect` states. A search does not report
// them.
using Ignored = std::set<std::string, std::less<>>;

struct Tried {
  PlanText plan;
  std::vector<Breach> breaches;
  std::vector<Breach> unexpected;  // expectations of the scenario that do not hold
  Ignored excused;                 // broken invariants that the scenario expects
  std::string outcome;             // of the result; empty: there is no result
  std::string impossible;          // why these guests cannot make this run; empty: they can
  std::size_t struck = 0;          // faults of the plan that struck
  // True if the log equals that of the run without a fault, apart from lines of the faults.
  bool no_effect = false;
  // For a process run that breaks something: the last lines of its machines (console.h).
  std::vector<std::string> console;
};

class Runner {
 public:
  // Uses fibers if the scenario can be run so, else processes; `guest` overrides that. `folder` is
  // for files that real programs write. Throws run::RunError.
  Runner(scenario::Scenario scenario, std::optional<scenario::GuestKind> guest, std::uint64_t seed,
         std::filesystem::path programs, std::filesystem::path folder,
         const std::atomic<bool>* stop);

  // Runs one plan. `points`, if given, listens to the run. With fibers, any number of threads may
  // call this at once. Process guests permit one run at a time, with its files in `folder`, or in
  // the runner's folder if that is empty.
  Tried run(const PlanText& plan, StrikePoints* points = nullptr,
            const std::filesystem::path& folder = {}) const;

  // The run with the scenario's own faults alone, with which later ones are compared: before them,
  // and once. Its log, result and consoles stay in fault_free().
  Tried baseline(StrikePoints& points);
  // The actions that the scripts called in baseline() and that the simulated AWS does not have,
  // with machine and console line.
  const std::vector<std::string>& missing_actions() const { return missing_; }
  // Beside the runner's folder. Empty if the runner has none.
  std::filesystem::path fault_free() const;

  // The last lines of the machines in a run with fiber guests. The run is repeated in its folder to
  // get them.
  std::vector<std::string> console_of(const PlanText& plan) const;

  // True if these guests support such a fault. For some kinds only the run shows it
  // (Tried::impossible).
  bool may_have(const faults::Kind& kind) const { return !kind.needs || guests_can(*kind.needs); }
  bool guests_can(guest::GuestFault::What what) const;
  bool fibers() const { return prepared_.has_value(); }
  const scenario::Scenario& scenario() const {
    return prepared_ ? prepared_->scenario() : scenario_;
  }
  std::uint64_t seed() const { return seed_; }
  // The folder for one of several parallel runs.
  std::filesystem::path folder_of(std::size_t place) const;
  const std::filesystem::path& programs() const { return programs_; }
  // Applies to later runs.
  void ignore(Ignored ids) { ignored_ = std::move(ids); }

 private:
  struct Made {
    run::RunReport report;
    LogPrint print;
    std::set<std::string> stopped = {};  // instances that are stopped at the end
    std::string too_many = {};           // EndlessRun::too_many(), of a run that was ended
  };
  Made make(const faults::Plan& plan, StrikePoints* points,
            const std::filesystem::path& folder) const;
  faults::Plan plan_of(const PlanText& text) const;
  // Adds what the run breaks, without what a correct job may break under these faults.
  void judge(const Made& made, const faults::Plan& plan, Tried& tried) const;

  scenario::Scenario scenario_;  // for process guests
  std::optional<run::Prepared> prepared_;
  std::uint64_t seed_;
  std::filesystem::path programs_, folder_;
  const std::atomic<bool>* stop_;
  std::optional<Ignored> ignored_;  // empty: those that the expectations are about
  std::vector<std::string> missing_;
  std::optional<std::uint64_t> baseline_;  // hash of the log of the run without a plan
  std::optional<Usual> usual_;             // of that run
};

}  // namespace sim::explore
