// The checkpoints of one training: a folder of files named by step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "trainer/checkpoint/checkpoint.h"
#include "trainer/checkpoint/descriptor.h"

namespace spottrain {

// "step-0000000123.ckpt".
std::string checkpoint_name(std::int64_t step);
// checkpoint_name's inverse, with any number of digits; empty for other names.
std::optional<std::int64_t> step_of(std::string_view name);

class CheckpointFolder {
 public:
  // Makes the folder when missing, locks it against a second trainer for as long as this lives, and
  // removes unfinished files of a killed one. keep >= 2. Throws std::system_error.
  CheckpointFolder(std::filesystem::path folder, int keep);

  struct Found {
    std::string name;
    Checkpoint checkpoint;
  };
  // Called for a checkpoint that is passed over, with its name and what is wrong with it.
  using Rejected = std::function<void(const std::string& name, const std::string& why)>;
  // The one with the highest step that verifies. Throws UnknownFormatVersion, naming the file.
  std::optional<Found> newest(const Rejected& rejected);

  // When it returns, the checkpoint survives the machine; the result is its size in bytes. Throws
  // std::system_error.
  std::uint64_t save(const Checkpoint& checkpoint);

  // Removes what is older than the newest `keep` that verify, damaged ones included. Throws
  // std::system_error.
  void rotate();

 private:
  std::map<std::int64_t, std::string, std::greater<>> names_by_step() const;
  bool verifies(std::int64_t step, const std::string& name);

  std::filesystem::path path_;
  int keep_;
  Descriptor lock_;
  std::set<std::int64_t> verified_;  // written or read whole by this process
};

}  // namespace spottrain
