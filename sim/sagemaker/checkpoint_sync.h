// How SageMaker keeps a host's folder of checkpoints in a bucket. What is there is copied before
// the container starts. Files that are new or changed follow while it runs, and a file that is
// deleted in the container is deleted in the bucket. What others put into the bucket in the
// meantime does not come (SageMaker developer guide, "Checkpoints in Amazon SageMaker").
//
// AWS documents neither an order nor a pace. Here a pass looks at the folder, uploads the files as
// they were at the look, in the order of their names (transfer.h), and deletes last. The next pass
// looks when all of that is done. So the bucket has the checkpoint before until the next one is
// there, however long that takes; and a bucket that loses a checkpoint does so because the
// container deleted it first.
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
    Duration every{};  // between two looks at the folder
    TransferKnobs transfer;
  };
  // The first three outlive it. What is in the folder now is taken as what the bucket has.
  CheckpointSync(Simulation&, EventLog&, objects::Store&, Knobs, std::unique_ptr<CheckpointFolder>,
                 S3Folder to, std::string instance);
  // What is on its way does not arrive.
  ~CheckpointSync();

  // Looks every Knobs::every, except while a pass is under way.
  void start();
  // Looks a last time; returns how long it is until all is in the bucket, where it comes at once.
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
  // Of the pass that is under way: files that are not in the bucket yet, and those to be deleted.
  std::set<std::string> on_the_way_, deleted_;
  Time done_at_ = Time::min();  // when the pass ends
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace sim::sagemaker
