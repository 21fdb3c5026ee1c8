// The states of a stateful instance and the graph that it moves on.
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

std::string_view name(StatefulState state);  // the API's: "ACTIVE"

// One allowed step. The vendor lists the states and what they mean. It does not document the graph,
// nor what an interruption shows: here it is a recycling that nobody asked for.
struct Step {
  std::string_view from, to;  // `from` is empty at creation
};
std::span<const Step> steps();
bool allowed(std::string_view from, std::string_view to);

}  // namespace sim::elastigroup
