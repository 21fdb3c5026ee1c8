// What an advised way comes to where the world is another.
#pragma once

#include <vector>

#include "sim/sweep/advice/advice.h"

namespace sim::sweep {

// `question` is the question of the advice, with its assumptions.
std::vector<WhatIf> what_ifs(const Question& question, const Advice& advice, unsigned threads);

}  // namespace sim::sweep
