// Which faults are tried at which points.
#pragma once

#include <string>
#include <vector>

#include "sim/explore/strike_points.h"
#include "sim/faults/kinds.h"

namespace sim::explore {

struct TriedFault {
  std::string yaml;  // an entry of a scenario's `faults`
  const faults::Kind* kind;
  std::string about;        // the point's, with its machine's role
  std::string equivalence;  // equal: the same fault at a point that is like it
};

// Every kind of the catalogue at every point where it is tried. Points of one instant are struck
// once by what strikes instants.
std::vector<TriedFault> faults_at(const std::vector<StrikePoint>& points);

}  // namespace sim::explore
