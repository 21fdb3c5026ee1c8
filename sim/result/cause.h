// Why a run failed.
#pragma once

#include <optional>
#include <string>

#include "sim/events/event_log.h"
#include "sim/kernel/time.h"

namespace sim::run {

struct Cause {
  std::string machine;        // an instance's ID or "operator"
  std::optional<int> status;  // its script's exit status; empty: it had not ended
  Time at{};                  // when what failed did
  std::string why;            // for people

  bool operator==(const Cause&) const = default;
};

// What a machine printed, relative to the run's output folder.
std::string console_of(const std::string& machine);

// As run.end and result.json have it.
Json to_json(const Cause& cause);
// The inverse; empty for anything that to_json() does not make.
std::optional<Cause> cause_from(const Json& json);

}  // namespace sim::run
