// The state of a training job while TrainingJobs works on it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/sagemaker/training_jobs.h"
#include "sim/sagemaker/workspace.h"

namespace sim::sagemaker {

struct TrainingJobs::Host {
  int number = 1;
  cloud::InstanceId instance;
  bool running = false;
  cloud::ContainerFolder folder = {};
  std::unique_ptr<Workspace> workspace = {};
  std::unique_ptr<CheckpointSync> checkpoints = {};
  bool container = false;  // a container is running
  int status = 0;          // exit status of the container that has ended
};

// A job and its current state of work.
struct TrainingJobs::Work {
  Job job;
  std::vector<std::unique_ptr<Host>> hosts = {};  // of this attempt
  std::vector<cloud::InstanceId> instances = {};  // of all attempts
  int attempt = 0;
  int retries = 0;
  std::map<int, std::vector<Download>> downloads = {};  // by host
  // The job's end, once its containers have ended; empty: the job continues.
  struct End {
    JobStatus status;
    std::string secondary, message;
  };
  std::optional<End> ending = {};
  Duration trained{};  // in earlier attempts
  std::optional<Time> training_since = {};
  std::optional<EventId> runtime_limit = {}, wait_limit = {};
};

}  // namespace sim::sagemaker
