// A host's folder of checkpoints: finds the changes that SageMaker must upload.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/cloud/container.h"
#include "sim/objects/body.h"

namespace sim::sagemaker {

class CheckpointFolder {
 public:
  // A file at the time of a look, even if it is only partly written.
  struct File {
    std::string name;  // its path in the folder
    std::shared_ptr<const objects::Blob> bytes;
  };
  struct News {
    std::vector<File> changed;
    std::vector<std::string> deleted;
  };
  virtual ~CheckpointFolder() = default;
  // Returns the changes since the last look. The first look returns all files. Empty if the folder
  // cannot be read.
  virtual News look() = 0;
  // If the file still exists, the next look returns it again.
  virtual void forget(const std::string& name) = 0;
};

// The folder `name` below a host's folder on this machine. The contents of its files are stored in
// `bytes`, which must outlive the result.
std::unique_ptr<CheckpointFolder> checkpoint_folder_on_disk(std::filesystem::path host,
                                                            const std::string& name,
                                                            objects::BodyFile& bytes);
// The same for a modelled folder.
std::unique_ptr<CheckpointFolder> modelled_checkpoint_folder(
    std::shared_ptr<const cloud::ModelledFolder> host, const std::string& name);
// The file's bytes, or as many bytes without content.
std::shared_ptr<const objects::Blob> bytes_of(const cloud::ModelledFile& file);

}  // namespace sim::sagemaker
