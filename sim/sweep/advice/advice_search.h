// Chooses the ways that an advice tries.
#pragma once

#include <vector>

#include "sim/sweep/advice/advice_trials.h"

namespace sim::sweep {

Zones all_zones(const Question& question);
// True for the same strategy in the same zones, with any way to save.
bool same_place(const TriedAlternative& a, const TriedAlternative& b);

// Tries each strategy in each zone alone, and in growing sets of the best zones, saving by the
// closed form. The best of these ways are then tried with every other way to save.
std::vector<TriedAlternative> try_ways(AdviceTrials& trials);

}  // namespace sim::sweep
