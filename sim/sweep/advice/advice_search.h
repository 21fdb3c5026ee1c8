// Which ways an advice tries.
#pragma once

#include <vector>

#include "sim/sweep/advice/advice_trials.h"

namespace sim::sweep {

Zones all_zones(const Question& question);
// The same strategy in the same zones, however they save.
bool same_place(const Tried& a, const Tried& b);

// Each strategy in each zone alone and in more and more of those that were best alone, saving by
// the closed form; of these, the best with every other way to save.
std::vector<Tried> try_ways(AdviceTrials& trials);

}  // namespace sim::sweep
