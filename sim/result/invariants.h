// What must hold in every run, looked up in its log.
#pragma once

#include <vector>

#include "sim/result/result.h"
#include "sim/result/story.h"

namespace sim::run {

// The two ledger sums first; see docs/result.md for the list.
std::vector<Verdict> invariants(const Story& story, const Result& result);

}  // namespace sim::run
