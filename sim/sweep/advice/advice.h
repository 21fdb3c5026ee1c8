// Computes the advice of `spotsim advise`: of all ways to save, to rent and to place a job, the one
// with the lowest expected cost that is in time. It runs each way over windows of a trace
// (advice_trials.h), in the order of advice_search.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/preference.h"
#include "sim/ticks/interruptions.h"

namespace sim::sweep {

struct Question {
  std::string name, instance_type;
  ticks::TickJob job;  // with checkpoint_cost; the advice decides how it saves
  std::vector<ticks::PoolTrace> zones;
  ticks::MoveCosts moves;
  // Drawn on top of the traces. If it is empty and the traces have no interruption, one per
  // deadline is drawn on average, because such traces do not show how often EC2 interrupts.
  std::optional<ticks::Interruptions> interruptions;
  bool as_traced = false;  // true: nothing is drawn
  // True: there is no trace. Spot is there at the stated price except for drawn interruptions, and
  // each window is drawn independently.
  bool no_trace = false;
  std::int64_t windows = 200;  // random starts, the same for each zone
  std::uint64_t seed = 1;
  double late_allowed = 0;  // share of the windows
};

// An alternative to the advised way.
struct Other {
  Alternative way;
  Distribution dearer;  // its cost − the advised way's, window by window
  bool equal = false;   // late no more often than allowed, with the same cost within chance
};

// The effect of a changed world on the advice.
struct WhatIf {
  std::string what;                 // "interruptions twice as often"
  Duration mean_life;               // M there, in the advised zones
  Alternative same;                 // the advised way there
  std::optional<Alternative> best;  // what would be advised in its zones, where that is better
};

struct Advice {
  Alternative best;
  // The cheapest way, if the best one is preferred to it at an equal cost.
  std::optional<Other> cheapest;
  Reason reason = Reason::kCost;
  // The same strategy and zones with the closed form's interval, if the advised interval differs.
  std::optional<Other> closed_form;
  // One alternative of each other kind (another policy, one zone instead of several, several
  // instead of one, or another zone), each with different runs; the best first.
  std::vector<Other> others;
  Alternative on_demand;
  std::optional<ticks::Interruptions> drawn;  // on top of the traces
  bool assumed = false;                       // the interruptions are an assumption, not the user's
  ticks::SpotLife life;                       // of the best way's zones in the complete trace
  // M of the trace and of drawn interruptions. Without any interruption it is the observed time.
  Duration mean_life;
  Duration interval;                                   // policies::exact_interval of M
  std::optional<double> optimum, best_beside_optimum;  // mean USD over the same windows
  std::int64_t optimum_windows = 0;
  std::vector<WhatIf> what_ifs;
  // For pictures. The advised strategy in its zones with each way to save, and each strategy in
  // each set of zones that was tried. Of ways that differ in the rest the preferred one is listed.
  std::vector<Alternative> saves, places;
  IntervalKind interval_kind = IntervalKind::kStudent;  // of `cost`'s
  std::int64_t clusters = 0;
  Duration window;        // length of each window
  Duration longest_move;  // between the best way's zones
  std::int64_t runs = 0;

  bool nothing_interrupts() const { return !drawn && life.interruptions == 0; }
};

// The result is the same for any number of threads. Throws std::length_error if the traces have no
// common time as long as the deadline.
Advice advise(const Question& question, unsigned threads);

}  // namespace sim::sweep
