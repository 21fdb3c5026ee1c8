// A SageMaker training job: its request and its state.
#pragma once

#include <any>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/kernel/time.h"

namespace sim::sagemaker {

// A folder of a bucket: "s3://BUCKET/PREFIX", without a slash at its end.
struct S3Folder {
  std::string bucket, prefix;

  // Throws ApiError ValidationException.
  static S3Folder parse(const std::string& uri);
  std::string key(const std::string& name) const {
    return prefix.empty() ? name : prefix + "/" + name;
  }
  std::string uri(const std::string& name) const { return "s3://" + bucket + "/" + key(name); }
};

// Data that each host has below /opt/ml/input/data/NAME before its container starts.
struct Channel {
  std::string name;
  std::string uri;  // a prefix: all objects below it (S3DataType S3Prefix)
  std::string content_type;
  bool sharded = false;  // each host gets a part (ShardedByS3Key), not all objects
};

// The properties of a new job: the part of CreateTrainingJob that has an effect.
struct JobSpec {
  std::string name;
  std::string image;
  // Of the container; without an entry point the image's own gets the arguments.
  std::vector<std::string> entrypoint = {}, arguments = {"train"};
  std::map<std::string, std::string> hyperparameters, environment;
  std::vector<Channel> channels;
  S3Folder output;
  std::string instance_type;  // EC2's name of the type: "p3.2xlarge" for ml.p3.2xlarge
  int instance_count = 1;
  bool spot = false;
  Duration max_runtime{};
  std::optional<Duration> max_wait;  // waiting and running; spot only
  std::optional<S3Folder> checkpoints;
  std::string checkpoint_folder = "/opt/ml/checkpoints";
  int retries = 0;      // after an InternalServerError (RetryStrategy)
  std::any asked = {};  // the request itself, for descriptions of the job
};

enum class JobStatus { kInProgress, kCompleted, kFailed, kStopping, kStopped };
std::string_view name(JobStatus status);  // "InProgress", as SageMaker writes it

// A secondary status (SageMaker API reference, SecondaryStatusTransition).
struct Transition {
  std::string status;
  Time start{};
  std::optional<Time> end;  // empty: not ended
  std::string message;
};

struct Job {
  JobSpec spec;
  std::string arn;
  JobStatus status = JobStatus::kInProgress;
  std::vector<Transition> transitions;  // never empty; the last one is current
  Time created{}, modified{};
  std::optional<Time> training_start, training_end;
  std::string failure_reason;  // empty: none
  std::string model_uri;       // of model.tar.gz; empty: no model
  int interruptions = 0;
  // After the end, of one host: the time trained, and the time that the same cost would buy at the
  // on-demand price. Savings are 1 − billable / training.
  std::optional<Duration> training, billable;

  bool ended() const {
    return status == JobStatus::kCompleted || status == JobStatus::kFailed ||
           status == JobStatus::kStopped;
  }
};

}  // namespace sim::sagemaker
