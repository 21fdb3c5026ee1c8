// Which faults are tried at which points.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/explore/strike_points.h"
#include "sim/faults/kinds.h"

namespace sim::explore {

struct TriedFault {
  std::string yaml;  // an entry of a scenario's `faults`
  const faults::Kind* kind;
  std::string_view arguments;  // as a plan has them, beside when and kind
  std::string about;           // the point's, with its machine's role
  std::string equivalence;     // equal: the same fault at a point that is like it
};

// Every kind of the catalogue that is `wanted` at every point where it is tried. Points of one
// instant are struck once by what strikes instants.
std::vector<TriedFault> faults_at(const std::vector<StrikePoint>& points,
                                  const std::function<bool(const faults::Kind&)>& wanted);

// The most telling first, for whoever has not the time for all: in turn one of each kind and its
// arguments, of these first what strikes after something else than those before, from all over the
// run.
std::vector<TriedFault> telling_first(std::vector<TriedFault> faults);

}  // namespace sim::explore
