// A scenario of a sweep with the values of one setting and variant, ready for many runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sim/run/run.h"

namespace sim::sweep {

class Combination {
 public:
  // Throws run::RunError if these guests cannot run the scenario on this machine.
  Combination(scenario::Scenario scenario, scenario::GuestKind guest);

  const scenario::Scenario& scenario() const { return fibers_ ? fibers_->scenario() : *scenario_; }
  // With fiber guests any number of threads may call this at once, and the report has a fingerprint
  // only if `text` is rendered. With process guests a process may make one run at a time. Its files
  // are in a temporary folder, which is removed. Throws run::RunError.
  run::RunReport run(std::uint64_t seed, LogText text, const std::atomic<bool>* stop) const;

 private:
  std::optional<run::Prepared> fibers_;
  std::unique_ptr<const scenario::Scenario> scenario_;  // of process guests
};

// The folder with the programs of process guests: that of this program.
std::filesystem::path programs_folder();

}  // namespace sim::sweep
