// The delay of an answer that never arrives.
#pragma once

#include <chrono>

#include "sim/kernel/time.h"

namespace fakes {

// A delay so long that no client waits for the answer.
constexpr sim::Duration kNoAnswer = std::chrono::hours{24 * 365};

}  // namespace fakes
