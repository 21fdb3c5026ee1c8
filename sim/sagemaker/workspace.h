// /opt/ml of one host. SageMaker puts files there before the container starts, and uploads files
// from there (SageMaker developer guide, "How Amazon SageMaker Provides Training Information" and
// "How Amazon SageMaker Processes Training Output").
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/cloud/container.h"
#include "sim/objects/store.h"
#include "sim/sagemaker/checkpoint_folder.h"
#include "sim/sagemaker/job.h"

namespace sim::sagemaker {

inline constexpr const char* kWorkspace = "/opt/ml";  // in the container

// Hosts of a job are algo-1, algo-2, …
inline std::string host_name(int number) { return "algo-" + std::to_string(number); }

// An object's bytes for a file below a host's folder.
struct Download {
  objects::Body body;
  std::string path;  // relative: "input/data/training/part-1"
  std::string bucket = {};
};

// The objects of a channel for one host. `host` counts from 1. Throws ApiError NoSuchBucket.
std::vector<Download> downloads_of(const Channel& channel, int host, const JobSpec& job,
                                   const objects::Store& store);
// For a folder: all objects below the prefix.
std::vector<Download> downloads_of(const S3Folder& from, const std::string& folder,
                                   const objects::Store& store);
std::vector<std::uint64_t> sizes_of(const std::vector<Download>& downloads);

// The configuration that the container reads about its job and its host, by file name.
std::map<std::string, std::string> configuration_of(const JobSpec& job, int host);

// The folders of /opt/ml that SageMaker mounts. All others, such as /opt/ml/code, are the image's
// own (SageMaker developer guide, "Adapting your own training container").
std::vector<std::string> mounts_of(const JobSpec& job);

class Workspace {
 public:
  virtual ~Workspace() = default;
  // Makes the folders and writes the configuration and the files. Throws std::system_error.
  virtual void lay_out(const JobSpec& job, int host, const std::vector<Download>& downloads) = 0;
  // The files below it at `name`, as a .tar.gz: the same bytes for the same files or, for a model,
  // the same size. Null if there are no files. Throws std::runtime_error.
  virtual std::shared_ptr<const objects::Blob> packed(const std::string& name, Time modified) = 0;
  // The container's failure message in /opt/ml/output/failure: at most 1024 characters.
  virtual std::string failure_said() const = 0;
  // The files below it at `name`.
  virtual std::unique_ptr<CheckpointFolder> checkpoints(const std::string& name) = 0;
};

// The workspace in a folder of this machine, from which `bytes` reads uploads, or in a model; null
// if there is neither.
std::unique_ptr<Workspace> workspace_in(const cloud::ContainerFolder& folder,
                                        objects::BodyFile& bytes);
std::unique_ptr<Workspace> modelled_workspace(std::shared_ptr<cloud::ModelledFolder> folder);

// Whether a path is inside of the host's folder, even if the container has made links.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace sim::sagemaker
