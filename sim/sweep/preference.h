// Chooses between ways to do a job that were tried on the same windows of a market. If the ways
// differ by no more than chance explains, the choice follows fixed rules. `spotsim advise` uses it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/statistics.h"
#include "sim/sweep/tick_sweep.h"

namespace sim::sweep {

// A way to do the job, summarized over the windows.
struct Alternative {
  std::string strategy;            // as make_strategy() reads it
  std::vector<std::size_t> zones;  // indices into the question's zones
  CheckpointSettings saves;
  Distribution cost, hours;  // cost in USD; hours until the end of the work
  double late = 0;           // share of windows that were late
  double interruptions = 0;  // average of a run

  // The time between checkpoints of "time:40m,on-notice"; empty if it has no fixed interval.
  std::optional<Duration> interval() const;
};

// A way to do the job, with its values in each window.
struct TriedAlternative {
  std::string strategy;
  std::vector<std::size_t> zones;
  CheckpointSettings saves;
  double times = 0;   // its interval ÷ the closed form's interval; 0: no interval
  double margin = 0;  // Save::margin
  std::vector<double> cost{}, hours{}, late{}, interruptions{};  // USD; h; 0 or 1; count
};

double mean_of(const std::vector<double>& values);

// The criteria that decide between ways, in their order.
enum class Reason { kLate, kCost, kSeldomLate, kSooner, kSeldomTaken, kPlainer };

struct Preferred {
  std::size_t best = 0, cheapest = 0;  // indices into the ways
  // Why the best is not the cheapest. kCost if it is the cheapest or ties with it.
  Reason reason = Reason::kCost;
};

// Chooses a way by these rules, in this order:
// - the smallest share of late windows beyond the allowed share
// - the lowest mean cost; ways that are as_cheap() as the cheapest remain
// - late least often, then done soonest (to 2 %), then interrupted least often (to 10 %)
// - the plainest way: the fewest zones, the plainest strategy
// - among intervals that cost the same (to 1 %): the one next to the closed form's, the widest
//   margin, with saves on notice
//
// So the seed of the windows does not choose between equal ways.
class Preference {
 public:
  // `dependence` says how windows depend on one another (dependence.h). `late_allowed` is a share.
  Preference(const Dependence& dependence, double late_allowed)
      : dependence_(dependence), late_allowed_(late_allowed) {}

  // `ways` has at least one way. All were tried on the same windows.
  Preferred choose(const std::vector<TriedAlternative>& ways) const;
  // Whether `way` costs the same as `cheapest`. This is true if it costs at most 1 % more. It is
  // also true if it costs at most 3 % more and chance can explain the difference. Chance can
  // explain 1.5 half widths of the 95 % confidence interval of the mean difference, window by
  // window. The factor 1.5 is needed because some thirty ways are compared with the cheapest
  // (Bonferroni: 0.05 ÷ 30 is at 2.9 standard errors, 0.05 at 2).
  bool as_cheap(const TriedAlternative& way, const TriedAlternative& cheapest) const;
  // The share of late windows beyond the allowed share.
  double too_late(const TriedAlternative& way) const;
  // The cost of `other` minus the cost of `way`.
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
