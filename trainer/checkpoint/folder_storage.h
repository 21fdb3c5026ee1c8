// Checkpoints as files in a folder.
#pragma once

#include <filesystem>
#include <memory>

#include "base/file_descriptor.h"
#include "trainer/checkpoint/storage.h"

namespace spottrain {

class FolderStorage : public Storage {
 public:
  // To look at what is there.
  explicit FolderStorage(std::filesystem::path folder) : path_(std::move(folder)) {}
  // To train: makes the folder when missing, locks it against a second trainer for as long as this
  // lives, and removes unfinished temporary files of a killed one. Throws std::system_error.
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
