// Keeps a host's folder of checkpoints in a bucket, as SageMaker does. The bucket's objects are
// copied to the folder before the container starts. New and changed files are uploaded while it
// runs, and a file that the container deletes is deleted in the bucket. Objects that others add to
// the bucket in that time are not copied (SageMaker developer guide, "Checkpoints in Amazon
// SageMaker").
//
// AWS documents neither an order nor a pace. Here a pass looks at the folder and uploads the files
// as they were at the look, in the order of their names (transfer.h). It deletes last. The next
// pass looks when all of that is done. So the bucket has the previous checkpoint until the next one
// is complete, however long that takes. A bucket loses a checkpoint only if the container deleted
// it first.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/events/event_log.h"
#include "sim/kernel/simulation.h"
#include "sim/objects/store.h"
#include "sim/sagemaker/checkpoint_folder.h"
#include "sim/sagemaker/job.h"
#include "sim/sagemaker/knobs.h"

namespace sim::sagemaker {

// Stores a file's bytes as an object of its name in the folder. Throws ApiError NoSuchBucket.
void put_file(objects::Store& store, const S3Folder& to, const std::string& name,
              objects::Body body);

class CheckpointSync {
 public:
  struct Knobs {
    Duration every{};  // interval between two looks at the folder
    TransferKnobs transfer;
  };
  // The first three arguments must outlive it. The present content of the folder must be in the
  // bucket.
  CheckpointSync(Simulation&, EventLog&, objects::Store&, Knobs, std::unique_ptr<CheckpointFolder>,
                 S3Folder to, std::string instance);
  // Cancels uploads in progress.
  ~CheckpointSync();

  // Looks every Knobs::every, except while a pass is in progress.
  void start();
  // Makes a last pass. Returns the time that it takes, and stores everything in the bucket at once.
  Duration finish();

 private:
  using Change = CheckpointFolder::File;
  void pass();
  void put(const Change& change);
  void remove_deleted();
  void tell_synced(Time looked, std::size_t files);
  // Of the uploads in their order, then of the deletions.
  std::vector<Duration> times_of(const std::vector<Change>& uploads, std::size_t deletions) const;

  Simulation& simulation_;
  EventLog& log_;
  objects::Store& store_;
  const Knobs knobs_;
  const std::unique_ptr<CheckpointFolder> folder_;
  const S3Folder to_;
  const std::string instance_;  // of the host, for the log
  // Of the current pass: files that are not in the bucket yet, and files to delete.
  std::set<std::string> on_the_way_, deleted_;
  Time done_at_ = Time::min();  // when the pass ends
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace sim::sagemaker
