// One run of a scenario. It builds the world, starts the operator's script, and processes events
// until the job is over or the limit is reached. `spotsim run`, explore and sweeps use it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "sim/events/event_log.h"
#include "sim/guest/sandbox/level.h"
#include "sim/result/listen.h"
#include "sim/result/result.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// The choices of a run that are not part of its scenario.
struct RunOptions {
  // The folder for events.jsonl, result.json and console/. Empty: nothing is written (fiber guests
  // only).
  std::filesystem::path output;
  std::filesystem::path programs;  // folder of spotrun and spottrain
  std::uint64_t seed = 0;
  std::optional<scenario::GuestKind> guest;  // overrides the scenario's
  std::optional<guest::Level> level;         // of process guests; overrides the scenario's
  LogText text = LogText::kRendered;         // kNone: no fingerprint; for runs without output
  const faults::Plan* faults = nullptr;      // added to the scenario's own; null: none
  bool must_complete = false;                // adds the invariant that the job completes
  // Asked after each event: true ends the run as its limit does (RunReport::cut_off). May be empty.
  std::function<bool()> enough = {};
  bool every_poll = false;  // fiber guests also make the polls that would find nothing
  // Set by a signal handler to end the run early; may be null.
  const std::atomic<bool>* stop = nullptr;
  // Adds listeners after those of the run itself; may be empty.
  result::Listen listen;
  // Receives messages before the first event: the kind of guests and why, and how this machine may
  // influence the run. May be empty.
  std::function<void(const std::string&)> say;
};

// The result of a run for its caller.
struct RunReport {
  std::optional<result::Result> result;  // empty if the run was stopped
  std::string fingerprint;
  std::uint64_t lines = 0;
  std::size_t launched = 0;  // number of instances of all regions
  bool cut_off = false;      // RunOptions::enough ended it; its outcome is as at the limit
};

// The run is impossible: the machine lacks something that the scenario needs, or a file cannot be
// written.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs a scenario to its end, writes events.jsonl and result.json, and leaves no process, mount or
// device. Throws RunError.
RunReport run(const scenario::Scenario& scenario, const RunOptions& options);

// The message of the RunError with which run() would refuse the scenario for process guests at this
// level on this machine. Empty if it would not refuse.
std::string refusal_here(const scenario::Scenario& scenario,
                         std::optional<guest::Level> level = {});

struct Guests;

// A scenario that is prepared for many runs with fiber guests: everything that runs share is read
// and checked once. RunOptions vary the seed, the text and the output. To vary anything else, such
// as a policy or a price, prepare a changed Scenario.
class Prepared {
 public:
  // Throws RunError if the scenario cannot be modelled.
  explicit Prepared(scenario::Scenario scenario);
  ~Prepared();
  Prepared(Prepared&&) noexcept;
  Prepared& operator=(Prepared&&) noexcept;

  // Like run() with fiber guests. Any number of threads may call it at once. A result depends only
  // on the scenario and the options.
  RunReport run(const RunOptions& options) const;
  const scenario::Scenario& scenario() const { return *scenario_; }

 private:
  std::unique_ptr<const scenario::Scenario> scenario_;
  std::unique_ptr<const Guests> guests_;
};

}  // namespace sim::run
