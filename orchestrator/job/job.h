// The job file (docs/spotrun.md): what to train, on which volume, and how to prepare a machine.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/seams/clock.h"

namespace spotrun {

struct VolumeConfig {
  std::string tag_key, tag_value;  // this tag identifies the job's volume
  int size_gib = 0;
  std::string type;
  std::string availability_zone;  // where `prepare` makes the volume
  std::string device;             // for AttachVolume: /dev/sdf
  std::string filesystem;         // for a blank volume: xfs or ext4
  std::string mount_point;
};

struct PrepareConfig {
  std::string instance_type, image_id, command;
  std::string iam_instance_profile, key_name, subnet_id;
  std::vector<std::string> security_group_ids;
};

struct CodeConfig {
  std::string repository, revision;  // revision empty: the repository's HEAD
};

struct TrainConfig {
  std::string command;
  int max_restarts = 0;  // on one instance, after failures of the command
  // The maximum time without a change in CHECKPOINT_DIR. Empty: unlimited.
  std::optional<Duration> hang_timeout;
};

struct Job {
  std::string name, region;
  // "s3://BUCKET/PREFIX". The job then has no volume, and `volume` has only its mount point, which
  // is a folder of the instance. Empty: the checkpoints are on the volume.
  std::string checkpoints;
  VolumeConfig volume;
  std::optional<PrepareConfig> prepare;
  std::optional<CodeConfig> code;
  TrainConfig train;
  std::map<std::string, std::string> step_time;   // by instance type, as "4.5s"
  std::map<std::string, double> on_demand_price;  // by instance type, USD an hour, if stated
  Duration notice_poll{5'000};
  std::string document;  // the file in one line
};

// Throws Failure(kBadInput): "FILE: POINTER: found …, expected …". `file` is for messages only.
Job parse_job(const std::string& text, const std::string& file);
// Reads a job file and parses it.
Job load_job(const std::string& file);
// The content of a file. Throws Failure(kBadInput) if it cannot be read.
std::string read_text(const std::string& file);

// Throws Failure(kBadInput) if the job has no volume for records of its outcome and progress.
// `what` is the command that needs it.
void require_volume(const Job& job, std::string_view what);

// "NAME=VALUE" of the volume's tag, for messages.
std::string volume_tag(const Job& job);

}  // namespace spotrun
