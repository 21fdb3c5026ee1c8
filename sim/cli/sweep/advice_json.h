// An advice for programs: the JSON that `spotsim advise` writes. docs/advise.md explains the keys.
#pragma once

#include "sim/events/event.h"
#include "sim/sweep/advice/advice_answer.h"

namespace sim::cli {

Json advice_json(const sweep::Answer& answer);

}  // namespace sim::cli
