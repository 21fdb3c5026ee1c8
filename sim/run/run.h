// One run of a scenario: the world is built, the operator's script started, and events happen until
// the job is over or its limit has come.
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

struct RunOptions {
  // Gets events.jsonl, result.json and console/. Empty, for fiber guests only: nothing is written.
  std::filesystem::path output;
  std::filesystem::path programs;  // folder of spotrun and spottrain
  std::uint64_t seed = 0;
  std::optional<GuestKind> guest;        // instead of the scenario's own
  std::optional<guest::Level> level;     // of process guests, instead of the scenario's own
  LogText text = LogText::kRendered;     // kNone: no fingerprint; for runs without output
  const faults::Plan* faults = nullptr;  // beside the scenario's own; null: none
  bool must_complete = false;            // an invariant more: the job does (docs/result.md)
  bool every_poll = false;               // fiber guests make the polls that find nothing, too
  // Set from a signal handler to end the run early; may be null.
  const std::atomic<bool>* stop = nullptr;
  // Adds listeners after those of the run itself; may be empty.
  Listen listen;
  // Called before anything happens, with what the guests are made of and why, and where this
  // machine may show in a run; may be empty.
  std::function<void(const std::string&)> say;
};

struct RunReport {
  std::optional<Result> result;  // empty when the run was stopped
  std::string fingerprint;
  std::uint64_t lines = 0;
};

// A run that could not be made: the machine lacks what the scenario asks for, or a file cannot be
// written.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Runs to the end, writes events.jsonl and result.json, and leaves no process, mount or device
// behind. Throws RunError.
RunReport run(const Scenario& scenario, const RunOptions& options);

// Why run() would refuse the scenario for process guests of this level on this machine, in the
// words of its RunError; empty: it would not.
std::string refusal_here(const Scenario& scenario, std::optional<guest::Level> level = {});

struct Guests;

// A scenario made ready for many runs with fiber guests: what all of them share is read and checked
// once. A run's seed, and whether it has text and output, are its options; for anything else that
// varies (a policy, a price, an interruption) make a Prepared of a changed Scenario.
class Prepared {
 public:
  // Throws RunError: the scenario has what cannot be modelled.
  explicit Prepared(Scenario scenario);
  ~Prepared();
  Prepared(Prepared&&) noexcept;
  Prepared& operator=(Prepared&&) noexcept;

  // As run(), with `options.guest` taken for kFiber. Any number of threads may be in it at once:
  // runs share only what they read, and a run's result depends on scenario and options alone.
  RunReport run(const RunOptions& options) const;
  const Scenario& scenario() const { return *scenario_; }

 private:
  std::unique_ptr<const Scenario> scenario_;
  std::unique_ptr<const Guests> guests_;
};

}  // namespace sim::run
