// Whether the state that a job trained is still there, told from a run's events.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/events/event.h"

namespace sim::run {

// Of the last checkpoint that a trainer reported.
struct Evidence {
  std::optional<bool> kept;          // empty: it cannot be said, and `why` says what is missing
  std::optional<std::int64_t> step;  // of the checkpoint; empty: none was reported
  std::string path;                  // the checkpoint's, or of the folder it is in; may be empty
  // What has it at the end: volumes, snapshots, "object-store", an object's URI.
  std::vector<std::string> on;
  std::string why;  // for people; empty: it is kept

  bool operator==(const Evidence&) const = default;
};

// As run.end and result.json have it, and the inverse.
Json to_json(const Evidence& evidence);
Evidence evidence_from(const Json& json);

}  // namespace sim::run
