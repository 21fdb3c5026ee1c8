// How SageMaker keeps a host's folder of checkpoints in a bucket: what is there is copied before
// the container starts; files that are new or changed follow while it runs, and are deleted there
// when they are deleted here; what others put into the bucket meanwhile does not come (SageMaker
// developer guide, "Checkpoints in Amazon SageMaker").
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/kernel/event_log.h"
#include "sim/kernel/simulation.h"
#include "sim/objects/store.h"
#include "sim/sagemaker/checkpoint_folder.h"
#include "sim/sagemaker/job.h"

namespace sim::sagemaker {

// Stores a file's bytes as an object of its name in the folder. Throws ApiError NoSuchBucket.
void put_file(objects::Store& store, const S3Folder& to, const std::string& name,
              objects::Body body);

class CheckpointSync {
 public:
  struct Knobs {
    Duration every{};                   // between two looks at the folder
    std::int64_t bytes_per_second = 1;  // to the bucket
  };
  // The first three outlive it. What is in the folder now is taken as what the bucket has.
  CheckpointSync(Simulation&, EventLog&, objects::Store&, Knobs, std::unique_ptr<CheckpointFolder>,
                 S3Folder to, std::string instance);
  // What is on its way does not arrive.
  ~CheckpointSync();

  // Looks, and goes on looking.
  void start();
  // Looks a last time; returns how long it is until all is in the bucket, where it comes at once.
  Duration finish();

 private:
  using Change = CheckpointFolder::File;
  std::vector<Change> look();
  void put(const Change& change);
  void tell_synced(Time looked, std::size_t files);
  Duration time_for(const std::vector<Change>& changes) const;

  Simulation& simulation_;
  EventLog& log_;
  objects::Store& store_;
  const Knobs knobs_;
  const std::unique_ptr<CheckpointFolder> folder_;
  const S3Folder to_;
  const std::string instance_;  // of the host, for the log
  // What of a file is on its way to the bucket: the newest that was seen.
  std::map<std::string, std::shared_ptr<const objects::Blob>> on_the_way_;
  Time free_at_ = Time::min();  // when all of these are there
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace sim::sagemaker
