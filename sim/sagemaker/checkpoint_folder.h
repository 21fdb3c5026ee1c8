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
  // A file at the look, even if it is only half written.
  struct File {
    std::string name;  // its path in the folder
    std::shared_ptr<const objects::Blob> bytes;
  };
  struct News {
    std::vector<File> changed;
    std::vector<std::string> deleted;
  };
  virtual ~CheckpointFolder() = default;
  // The changes since the last look; everything at the first look. Nothing if the folder cannot be
  // read.
  virtual News look() = 0;
  // If the file still exists, the next look returns it again.
  virtual void forget(const std::string& name) = 0;
};

// The folder `name` below a host's folder on this machine. Its existing files go to `bytes`, which
// outlives the folder.
std::unique_ptr<CheckpointFolder> checkpoint_folder_on_disk(std::filesystem::path host,
                                                            const std::string& name,
                                                            objects::BodyFile& bytes);
// The same of a model.
std::unique_ptr<CheckpointFolder> modelled_checkpoint_folder(
    std::shared_ptr<const cloud::ModelledFolder> host, const std::string& name);
// Its bytes, or as many.
std::shared_ptr<const objects::Blob> bytes_of(const cloud::ModelledFile& file);

}  // namespace sim::sagemaker
