// An advice in at most ten lines: the verdict in words, and its basis.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/terminal/terminal_style.h"
#include "sim/sweep/advice/advice_answer.h"

namespace sim::cli {

// "40 min", "33 h", "2.5 h", "45 s".
std::string time_words(Duration time);

// "Save every 40 min and on notice, on spot in us-east-1b: about $15.4 (58 % less than on demand),
// done in 33 h; any interval from 25 to 70 min is within 1 %."
std::string verdict(const sweep::Answer& answer);

// The saving over the user's present way, in a sentence. Empty if the job states no present way.
std::string instead_of_today(const sweep::Answer& answer);

// The advised type, then the other types by cost.
std::vector<const sweep::TypeAnswer*> types_best_first(const sweep::Answer& answer);

// At most ten lines of at most 110 columns.
std::string advice_summary(const sweep::Answer& answer, const Styler& styled = {});

}  // namespace sim::cli
