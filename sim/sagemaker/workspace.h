// /opt/ml of one host, as a folder of this machine: what SageMaker lays there before the container
// starts, and what it takes away (SageMaker developer guide, "How Amazon SageMaker Provides
// Training Information" and "How Amazon SageMaker Processes Training Output").
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/objects/store.h"
#include "sim/sagemaker/job.h"

namespace sim::sagemaker {

inline constexpr const char* kWorkspace = "/opt/ml";  // in the container

// Hosts of a job are algo-1, algo-2, …
inline std::string host_name(int number) { return "algo-" + std::to_string(number); }

// An object's bytes for a file below a host's folder.
struct Download {
  objects::Body body;
  std::string path;  // relative: "input/data/training/part-1"
};

// What a channel brings to a host, from 1 on. Throws ApiError NoSuchBucket.
std::vector<Download> downloads_of(const Channel& channel, int host, const JobSpec& job,
                                   const objects::Store& store);
// All that is below the prefix, for a folder.
std::vector<Download> downloads_of(const S3Folder& from, const std::string& folder,
                                   const objects::Store& store);
std::uint64_t bytes_of(const std::vector<Download>& downloads);

// Makes the folders and writes the configuration and the files. Throws std::system_error.
void lay_out(const std::filesystem::path& folder, const JobSpec& job, int host,
             const std::vector<Download>& downloads);

// Whether a path of the host's folder is in it, wherever links of the container's lead.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder);

// What is below a host's folder at `name`, as a .tar.gz, which has the same bytes for the same
// files; empty where there is none. Throws std::runtime_error.
std::string packed(const std::filesystem::path& folder, const std::string& name, Time modified);

// What the container says of its failure in /opt/ml/output/failure: 1024 characters at most.
std::string failure_said(const std::filesystem::path& folder);

}  // namespace sim::sagemaker
