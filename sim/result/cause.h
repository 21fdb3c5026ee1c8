// The cause of a failed run: which machine failed, when and why.
#pragma once

#include <optional>
#include <string>

#include "sim/events/event_log.h"
#include "sim/kernel/time.h"

namespace sim::result {

struct Cause {
  std::string machine;  // an instance's ID or "operator"
  // Exit status of the machine's script; empty: the script had not ended.
  std::optional<int> status;
  Time at{};        // when the machine failed
  std::string why;  // a sentence for the summary

  bool operator==(const Cause&) const = default;
};

// What a machine printed, relative to the run's output folder.
std::string console_of(const std::string& machine);

// The form in run.end and result.json.
Json to_json(const Cause& cause);
// The inverse of to_json(). Empty if the JSON has another form.
std::optional<Cause> cause_from(const Json& json);

}  // namespace sim::result
