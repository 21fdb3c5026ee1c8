// Advice: of all ways to save, to rent and to place a job, the one that is expected to cost the
// least and be in time, found by running each of them over windows of a trace.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/preference.h"
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

// Another way than the advised one.
struct Other {
  Way way;
  Distribution dearer;  // its cost − the advised way's, window by window
  bool equal =
      false;  // it is late no more often than is allowed, and costs the same but for chance
};

// What changes where the world is another.
struct WhatIf {
  std::string what;         // "interruptions twice as often"
  Duration mean_life;       // M there, in the advised zones
  Way same;                 // the advised way there
  std::optional<Way> best;  // what would be advised in its zones, where that is better
};

struct Advice {
  Way best;
  // Where the cheapest is another that costs as much: it, and why the best is preferred to it.
  std::optional<Other> cheapest;
  Reason reason = Reason::kCost;
  // The closed form's interval, where the advised one is another, in its zones and for its
  // strategy.
  std::optional<Other> closed_form;
  // One of each other kind: another policy, or the same in one zone in the place of several, in
  // several in the place of one, or in another one. None has another's runs; the best first.
  std::vector<Other> others;
  Way on_demand;
  std::optional<Interruptions> drawn;  // on top of the traces
  bool assumed = false;                // those are nobody's words
  SpotLife life;                       // of the best way's zones in all of the trace
  // M: of that and of what is drawn; where nothing ever interrupts, the time seen.
  Duration mean_life;
  Duration interval;                                   // policies::exact_interval of M
  std::optional<double> optimum, best_beside_optimum;  // mean USD of the same windows
  std::int64_t optimum_windows = 0;
  std::vector<WhatIf> what_ifs;
  // For pictures. The advised strategy in its zones with each way to save, and each strategy in
  // each set of zones that was tried. Of ways that differ in the rest the preferred one is listed.
  std::vector<Way> saves, places;
  IntervalKind interval_kind = IntervalKind::kStudent;  // of `cost`'s
  std::int64_t clusters = 0;
  Duration window;        // each one's length
  Duration longest_move;  // between the best way's zones
  std::int64_t runs = 0;

  bool nothing_interrupts() const { return !drawn && life.interruptions == 0; }
};

// Equal for any number of threads. Throws std::length_error where the traces have no time that all
// zones cover and that is as long as the deadline.
Advice advise(const Question& question, unsigned threads);

}  // namespace sim::sweep
