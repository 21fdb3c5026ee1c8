// Advice: of all ways to save, to rent and to place a job, the one that is expected to cost the
// least and be in time, found by running each of them over windows of a trace.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/statistics.h"
#include "sim/sweep/tick_sweep.h"
#include "sim/ticks/interruptions.h"

namespace sim::sweep {

struct Question {
  std::string name, instance_type;
  TickJob job;  // checkpoint_cost among it; how it saves is to be found
  std::vector<PoolTrace> zones;
  MoveCosts moves;
  // On top of the traces. Without any, where the traces interrupt nobody: one in the deadline's
  // time on average, as such traces do not say how often EC2 takes an instance.
  std::optional<Interruptions> interruptions;
  bool as_traced = false;      // nothing is drawn then either
  std::int64_t windows = 200;  // random starts, of each zone the same
  std::uint64_t seed = 1;
  double late_allowed = 0;  // share of the windows
};

// A way to do it, and what it comes to over the windows.
struct Way {
  std::string strategy;            // as make_strategy() reads it
  std::vector<std::size_t> zones;  // of the question's
  Checkpoints saves;
  Distribution cost, hours;  // USD; until the end of the work
  double late = 0;           // share of the windows
};

// What changes where the world is another.
struct WhatIf {
  std::string what;  // "interruptions twice as often"
  Way same, best;    // the advised way there, and what would be advised there
};

struct Advice {
  Way best;
  std::vector<Way> others;  // the best of each other strategy, zones and way to save, best first
  Way on_demand;
  std::optional<Interruptions> drawn;  // on top of the traces
  bool assumed = false;                // those are nobody's words
  SpotLife life;                       // of all zones
  Duration mean_life;  // M: its mean, or the time seen where nothing was ever interrupted
  Duration interval;   // policies::exact_interval of M
  std::optional<double> optimum, best_beside_optimum;  // mean USD of the same windows
  std::int64_t optimum_windows = 0;
  std::vector<WhatIf> what_ifs;
  IntervalKind interval_kind = IntervalKind::kStudent;  // of `cost`'s
  std::int64_t clusters = 0;
  Duration window;  // each one's length
  std::int64_t runs = 0;
};

// Equal for any number of threads. Throws std::length_error where the traces have no time that all
// zones cover and that is as long as the deadline.
Advice advise(const Question& question, unsigned threads);

}  // namespace sim::sweep
