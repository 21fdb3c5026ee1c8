// Evidence: whether the trained state still exists at the end of a run. A trainer's line `finished`
// is not enough for the outcome `completed`; the last reported checkpoint must exist. The history
// follows checkpoints from disk to snapshot to volume, and to buckets. Outcome asks the history for
// the evidence; run.end and result.json have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/events/event.h"

namespace sim::result {

// About the last checkpoint that a trainer reported.
struct Evidence {
  std::optional<bool> kept;          // empty: unknown, and `why` names the missing information
  std::optional<std::int64_t> step;  // step of the checkpoint; empty: none was reported
  std::string path;                  // path of the checkpoint or of its folder; may be empty
  // Places that have the checkpoint at the end: volumes, snapshots, "object-store", an object's
  // URI.
  std::vector<std::string> on;
  std::string why;  // for people; empty if the checkpoint is kept

  bool operator==(const Evidence&) const = default;
};

// The form in run.end and result.json, and the inverse.
Json to_json(const Evidence& evidence);
Evidence evidence_from(const Json& json);

}  // namespace sim::result
