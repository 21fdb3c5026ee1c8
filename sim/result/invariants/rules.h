// A scenario's rules for invariants: limits of the built-in ones, and invariants of its own.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/kernel/time.h"

namespace sim::result {

// A pattern of events: one kind, with these values in the fields.
struct EventPattern {
  std::string event;
  // Values by field name. "request.VolumeId" is the member VolumeId of the field `request`. Values
  // are written as in events.jsonl, without quotes. A value that ends with '*' matches the
  // beginning.
  std::vector<std::pair<std::string, std::string>> fields;
};

// An invariant of the scenario. Without `comes`, at most `at_most` lines may match. With `comes`,
// another line must follow each matching line within that time.
struct OwnInvariant {
  std::string name;
  EventPattern of;
  std::int64_t at_most = 0;
  std::optional<EventPattern> comes;
  Duration within{};
  std::vector<std::string> same;  // fields that must be equal in both lines
};

struct InvariantRules {
  // Maximum time from an interruption notice to the job's reaction. Empty: kNoticeReaction applies
  // to jobs that report a reaction. Other jobs, whose log shows only steps, then have no limit.
  std::optional<Duration> notice_reaction;
  static constexpr Duration kNoticeReaction = std::chrono::seconds{30};

  // Limits for failed calls of one caller and action; for S3, also of one object or part. AWS's
  // SDKs make at most 3 attempts in the mode "standard" and 5 in "legacy", with growing pauses. So
  // more than 5 a second cannot come from an SDK. AWS's waiters look 40 times, which is 200 calls
  // with 5 attempts each (AWS SDKs and Tools Reference Guide, "Retry behavior"; Boto3's "Retries";
  // EC2's waiters).
  int retries_in_a_second = 5;
  int retries_in_a_row = 200;

  std::vector<OwnInvariant> own;

  // True if all faults of this run are temporary. Then the job must complete.
  bool must_complete = false;
};

}  // namespace sim::result
