// A scenario's rules for invariants: limits of the built-in ones, and invariants of its own.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/kernel/time.h"

namespace sim::run {

// Lines of the log of one kind with these values in their fields.
struct EventPattern {
  std::string event;
  // By name; "request.VolumeId" is the member VolumeId of the field `request`. A value is as in
  // events.jsonl, without quotes; one that ends with '*' is how it begins.
  std::vector<std::pair<std::string, std::string>> fields;
};

// An invariant of the scenario. Without `comes`, there are at most `at_most` such lines. With
// `comes`, each such line must be followed by the other line within that time.
struct OwnInvariant {
  std::string name;
  EventPattern of;
  std::int64_t at_most = 0;
  std::optional<EventPattern> comes;
  Duration within{};
  std::vector<std::string> same;  // fields that have the same value in both lines
};

struct InvariantRules {
  // From an interruption notice to what the job does about it. Empty: kNoticeReaction for a job
  // that tells what it does, any time for one whose trainer is heard by its steps alone.
  std::optional<Duration> notice_reaction;
  static constexpr Duration kNoticeReaction = std::chrono::seconds{30};

  // Failed calls of one caller and action, of S3 for one object or part. AWS's SDKs make at most 3
  // attempts of a request in their mode "standard" and 5 in "legacy", with a growing pause from the
  // second on, so that more than 5 in a second are no SDK's; AWS's waiters look 40 times, which
  // with 5 attempts each are 200 in a row (AWS SDKs and Tools Reference Guide, "Retry behavior";
  // Boto3's "Retries"; EC2's waiters).
  int retries_in_a_second = 5;
  int retries_in_a_row = 200;

  std::vector<OwnInvariant> own;

  // Set if all faults of this run pass: then the job must complete.
  bool must_complete = false;
};

}  // namespace sim::run
