// The states of a stateful instance and the allowed transitions.
#pragma once

#include <span>
#include <string_view>

namespace sim::elastigroup {

// The vendor's API reference, "List stateful instances": an action is requested (PAUSE), is in
// progress (PAUSING) and is done (PAUSED).
enum class StatefulState {
  kActive,
  kPause,
  kPausing,
  kPaused,
  kResume,
  kResuming,
  kRecycle,
  kRecycling,
  kDeallocate,
  kDeallocating,
  kDeallocated,
  kError
};

std::string_view name(StatefulState state);  // the API's name, such as "ACTIVE"

// An allowed transition. The vendor lists the states and their meaning, but documents neither the
// transitions nor the states of an interruption: here it is a recycling without a request.
struct Step {
  std::string_view from, to;  // `from` is empty at creation
};
std::span<const Step> steps();
bool allowed(std::string_view from, std::string_view to);

}  // namespace sim::elastigroup
