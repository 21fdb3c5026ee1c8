// Runs of a scenario with one fault plan after another, each beside the scenario's own faults, and
// what each breaks.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

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

// Something that must hold, and does not in this run.
struct Breach {
  std::string id;        // the invariant's
  std::string sentence;  // what must hold
  std::string found;
  std::vector<std::string> lines;  // of the log, that show it
};

// What a search of a scenario that breaks something by itself, and says so in its `expect`, does
// not look for.
using Ignored = std::set<std::string, std::less<>>;

struct Tried {
  PlanText plan;
  std::vector<Breach> breaches;
  std::vector<Breach> unexpected;  // what does not hold of the scenario's `expect`
  Ignored excused;         // invariants that it breaks, and the scenario's expectations are about
  std::string outcome;     // of the result; empty: there is none
  std::string impossible;  // why the guests cannot make this run; empty: they can
  std::size_t struck = 0;  // faults of the plan that did strike
  // The log is that of the run without a fault, but for the lines of the faults themselves.
  bool no_effect = false;
  // Of a process run that breaks something: what its machines printed last (console.h).
  std::vector<std::string> console;
};

class Runner {
 public:
  // Fibers where the scenario can be run so, or as `guest` says. `folder`: for what real programs
  // write. Throws run::RunError.
  Runner(run::Scenario scenario, std::optional<run::GuestKind> guest, std::uint64_t seed,
         std::filesystem::path programs, std::filesystem::path folder,
         const std::atomic<bool>* stop);

  // `points`, if it is given, hears the run. With fibers any number of threads may be in it.
  // Process guests: one run at a time, whose files are in `folder`; empty: in the runner's.
  Tried run(const PlanText& plan, StrikePoints* points = nullptr,
            const std::filesystem::path& folder = {}) const;

  // The run with the scenario's own faults alone, with which later ones are compared: before them,
  // and once. Its log, result and consoles stay in fault_free().
  Tried baseline(StrikePoints& points);
  // Beside the runner's folder. Empty if the runner has none.
  std::filesystem::path fault_free() const;

  // What the machines of a run with fiber guests print last: it is made again, in its folder.
  std::vector<std::string> console_of(const PlanText& plan) const;

  // Whether these guests may have such a fault; some cannot yet tell (Tried::impossible).
  bool may_have(const faults::Kind& kind) const;
  bool fibers() const { return prepared_.has_value(); }
  const run::Scenario& scenario() const { return prepared_ ? prepared_->scenario() : scenario_; }
  std::uint64_t seed() const { return seed_; }
  // For the place-th of the runs that are made at once.
  std::filesystem::path folder_of(std::size_t place) const;
  const std::filesystem::path& programs() const { return programs_; }
  // Of later runs.
  void ignore(Ignored ids) { ignored_ = std::move(ids); }

 private:
  struct Made {
    run::RunReport report;
    LogPrint print;
  };
  Made make(const faults::Plan& plan, StrikePoints* points,
            const std::filesystem::path& folder) const;
  faults::Plan plan_of(const PlanText& text) const;
  // Whether a trainer hangs by the plan or the scenario's own faults.
  bool has_hang(const faults::Plan& plan) const;

  run::Scenario scenario_;  // of process guests
  std::optional<run::Prepared> prepared_;
  std::uint64_t seed_;
  std::filesystem::path programs_, folder_;
  const std::atomic<bool>* stop_;
  std::optional<Ignored> ignored_;         // empty: what the expectations are about
  std::optional<std::uint64_t> baseline_;  // the print of the run without a fault
};

}  // namespace sim::explore
