// Which faults are tried at which points.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "sim/explore/strike_points.h"
#include "sim/faults/kinds.h"

namespace sim::explore {

// What a point is between, the most telling first: an instance has taken something away and its
// next call that changes something is to come; a step of training or a notice; any other call of an
// instance; anything else while a spot instance runs; anything else.
enum class PointGroup { kBetween, kTraining, kCall, kSpot, kOther };

struct TriedFault {
  std::string yaml;  // an entry of a scenario's `faults`
  const faults::Kind* kind;
  std::string arguments;  // as a plan has them, beside when and kind
  std::string about;      // the point's, with its machine's role
  PointGroup group;
  std::string equivalence;  // equal: the same fault at a point that is like it
  std::size_t point = 0;    // its place in the list of points
};

// The kinds of the catalogue that are meant.
using Wanted = std::function<bool(const faults::Kind&)>;

// Every kind at every point where its trials have it, in these zones where they ask for each.
// Points of one instant are struck once by what strikes instants.
std::vector<TriedFault> faults_at(const std::vector<StrikePoint>& points, const Wanted& wanted,
                                  const std::set<std::string>& zones);

// Every kind at every point with the arguments of Kind::elsewhere, except the faults in `before`.
std::vector<TriedFault> faults_elsewhere(const std::vector<StrikePoint>& points,
                                         const Wanted& wanted, const std::set<std::string>& zones,
                                         const std::vector<TriedFault>& before);

}  // namespace sim::explore
