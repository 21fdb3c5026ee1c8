// Copies of checkpoints in S3: an object with the bytes of a checkpoint's file is that checkpoint,
// under any name and from any uploader.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/objects/store.h"

namespace sim::guest {

// Compares objects that are stored in S3 with the checkpoints that trainers reported, and reports
// copies (event checkpoint.copied). TrainerProgress owns it.
class CheckpointCopies {
 public:
  using Tell = std::function<void(events::CheckpointCopied event)>;  // its time is not set

  // `prefix`: the scenario's target of copies, s3://BUCKET/PREFIX; may be empty. An object there
  // with a checkpoint file's name and a suffix (.gz, .enc) also counts as its copy, whatever its
  // bytes. The store must outlive this object.
  CheckpointCopies(const objects::Store& store, std::string prefix, Tell tell)
      : store_(store), prefix_(std::move(prefix)), tell_(std::move(tell)) {}

  // A checkpoint of `step` that a trainer reported: a file of a machine with the root folder
  // `root`. A file that was found may be as old as `since`. It is read now, if there are buckets.
  struct Saved {
    std::string machine, path;
    std::int64_t step = 0, since = 0;
    std::uint64_t size = 0;
    std::string digest;
  };
  void saved(const std::filesystem::path& root, Saved checkpoint);
  void stored(const std::string& bucket, const std::string& key);

 private:
  bool is_copy(const Saved& of, const std::string& uri, const objects::Object& object) const;
  void tell(const Saved& of, const std::string& uri);

  const objects::Store& store_;
  std::string prefix_;
  Tell tell_;
  std::vector<Saved> saved_;  // the newest last
};

}  // namespace sim::guest
