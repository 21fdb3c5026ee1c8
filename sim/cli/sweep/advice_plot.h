// The picture of an advice: cost against the interval between checkpoints.
#pragma once

#include <string>

#include "sim/sweep/advice/advice_answer.h"

namespace sim::cli {

// SVG with the advised interval, the intervals that are as good, and today's way.
std::string advice_picture(const sweep::Answer& answer);

}  // namespace sim::cli
