// Checkpoints as files in a folder.
#pragma once

#include <filesystem>
#include <memory>

#include "base/files/file_descriptor.h"
#include "trainer/checkpoint/storage.h"

namespace spottrain {

class FolderStorage : public Storage {
 public:
  // Opens a folder for reading only.
  explicit FolderStorage(std::filesystem::path folder) : path_(std::move(folder)) {}
  // Opens a folder for training. It makes a missing folder, and locks the folder against a second
  // trainer while this object exists. It removes temporary files of a killed trainer. Throws
  // std::system_error.
  static std::unique_ptr<Storage> for_training(std::filesystem::path folder);

  std::string name() const override;
  std::vector<std::string> names() override;
  std::string read(const std::string& name, std::uint64_t most_bytes) override;
  std::uint64_t store(const Checkpoint& checkpoint) override;
  void remove(const std::string& name) override;

 private:
  std::filesystem::path path_;
  base::FileDescriptor lock_;
};

}  // namespace spottrain
