// Which disks, snapshots and buckets have which checkpoint.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/result/evidence.h"

namespace sim::run {

// How a trainer's line names the disk of its own instance.
inline constexpr std::string_view kRootDisk = "root";
inline constexpr std::string_view kBucketScheme = "s3://";

struct Checkpoints {
  struct Held {
    std::uint64_t report = 0;             // the number of the last checkpoint reported on it
    std::optional<std::int64_t> durable;  // the greatest step of those that are durable
    bool damaged = false;                 // that one may not be what was written
  };
  // Checkpoints that a trainer only reported as written, and that must have got to their disk:
  // their machine has run on for Header::written_back, and no fault has damaged the disk. They are
  // durable from then on.
  struct WrittenBack {
    std::uint64_t count = 0;  // so far
    std::int64_t step = 0;    // of the last one
  };

  // Volumes, snapshots, "object-store", an object's URI, an instance's ID for its root disk.
  std::map<std::string, Held, std::less<>> holders;
  std::optional<std::int64_t> step;  // of the last checkpoint that was reported
  std::string path;                  // its path
  std::uint64_t report = 0;          // its number
  std::string last_one;              // how the last holder of it went
  WrittenBack written_back;

  // Whether the last checkpoint is kept.
  Evidence found() const;
  // What has a durable checkpoint of this step or a later one, damaged or not.
  std::vector<std::string> holders_of(std::int64_t step) const;
  bool has_last(std::string_view holder) const;
};

}  // namespace sim::run
