// Ways to do a job that were tried on the same windows, and which of them to take where chance
// alone tells them apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/sweep/statistics.h"
#include "sim/sweep/tick_sweep.h"

namespace sim::sweep {

// A way to do it, and what it comes to over the windows.
struct Alternative {
  std::string strategy;            // as make_strategy() reads it
  std::vector<std::size_t> zones;  // of the question's
  CheckpointSettings saves;
  Distribution cost, hours;  // USD; until the end of the work
  double late = 0;           // share of the windows
  double interruptions = 0;  // a run, on average
};

// A way, window by window.
struct TriedAlternative {
  std::string strategy;
  std::vector<std::size_t> zones;
  CheckpointSettings saves;
  double times = 0;   // its interval ÷ the closed form's; 0 where it has none
  double margin = 0;  // Save::margin
  std::vector<double> cost{}, hours{}, late{}, interruptions{};  // USD; h; 0 or 1; a number
};

double mean_of(const std::vector<double>& values);

// What decides between ways, in this order.
enum class Reason { kLate, kCost, kSeldomLate, kSooner, kSeldomTaken, kPlainer };

struct Preferred {
  std::size_t best = 0, cheapest = 0;  // of the ways
  Reason reason = Reason::kCost;  // why the cheapest is not the best; kCost where it is, or ties
};

// First counts the share of late windows beyond what is allowed, then the mean cost. Of those that
// cost as much as the cheapest the one is taken that is late least often, is done soonest (to 2 %),
// is interrupted least often (to 10 %), and is plainest: has the fewest zones, the plainest
// strategy. Of its intervals that cost the same, to 1 %, it has the one next to the closed form's
// and the widest margin, and it saves on notice, too. So the seed of the windows does not choose
// between equals.
class Preference {
 public:
  // How windows depend on one another (dependence.h).
  Preference(const Dependence& dependence, double late_allowed)
      : dependence_(dependence), late_allowed_(late_allowed) {}

  // At least one way; all on the same windows.
  Preferred choose(const std::vector<TriedAlternative>& ways) const;
  // Both cost the same: the way's cost is more by at most 1 %, or by at most 3 % and no more than
  // chance can make it: 1.5 half widths of the mean difference's 95 % interval, window by window,
  // because some thirty are compared with the cheapest (Bonferroni: 0.05 ÷ 30 is at 2.9 standard
  // errors, 0.05 at 2).
  bool as_cheap(const TriedAlternative& way, const TriedAlternative& cheapest) const;
  // The share of late windows beyond what is allowed.
  double too_late(const TriedAlternative& way) const;
  // The other's cost − the way's.
  Distribution dearer(const TriedAlternative& other, const TriedAlternative& way) const;
  Alternative summary(const TriedAlternative& way) const;

 private:
  std::size_t with_plain_interval(const std::vector<TriedAlternative>& ways, std::size_t way) const;
  Distribution difference(const std::vector<double>& a, const std::vector<double>& b) const;
  bool same(const std::vector<double>& a, const std::vector<double>& least, double always,
            double by_chance) const;

  const Dependence& dependence_;
  double late_allowed_;
};

}  // namespace sim::sweep
