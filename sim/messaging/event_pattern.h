// EventBridge's event patterns, and SNS's filter policies, which have the same filters
// (EventBridge User Guide, "Comparison operators in Amazon EventBridge event patterns").
#pragma once

#include <string>
#include <string_view>

#include "sim/kernel/json_object.h"

namespace sim::messaging {

// A parsed pattern, which can be compared with any number of events.
class EventPattern {
 public:
  // Parses a pattern. Throws ApiError with the code `error`; its message names the place.
  explicit EventPattern(std::string_view text,
                        const std::string& error = "InvalidEventPatternException");

  bool matches(const Json& event) const;

 private:
  Json pattern_;
};

}  // namespace sim::messaging
