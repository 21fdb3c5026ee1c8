// The checkpoints of a run, and which disks, snapshots and buckets have each of them.
// CheckpointFollower keeps this record up to date. The outcome reads whether the last checkpoint
// still exists, and the invariants read whether a durable one was lost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/result/evidence.h"

namespace sim::result {

// The name that a trainer's line has for the disk of its own instance.
inline constexpr std::string_view kRootDisk = "root";
inline constexpr std::string_view kBucketScheme = "s3://";

struct Checkpoints {
  struct Held {
    std::uint64_t report = 0;             // number of the last checkpoint reported on it
    std::optional<std::int64_t> durable;  // greatest durable step on it
    bool damaged = false;                 // its data may differ from what was written
  };
  // Checkpoints that a trainer reported as written, not as durable. They count as durable once
  // their machine has run for Header::written_back and no fault has damaged the disk.
  struct WrittenBack {
    std::uint64_t count = 0;  // number of such checkpoints so far
    std::int64_t step = 0;    // step of the last one
  };

  // By holder: the ID of a volume or snapshot, "object-store", an object's URI, or an instance's ID
  // for its root disk.
  std::map<std::string, Held, std::less<>> holders;
  std::optional<std::int64_t> step;  // of the last checkpoint that was reported
  std::string path;                  // its path
  std::uint64_t report = 0;          // its number
  std::string last_one;              // how the last holder of this checkpoint was lost
  WrittenBack written_back;

  // States whether the last checkpoint still exists.
  Evidence found() const;
  // The holders that have a durable checkpoint of this step or a later one, damaged or not.
  std::vector<std::string> holders_of(std::int64_t step) const;
  bool has_last(std::string_view holder) const;
};

}  // namespace sim::result
