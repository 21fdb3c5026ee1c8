// The checkpoints of one training: a folder of files named by step.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "trainer/checkpoint/checkpoint.h"

namespace spottrain {

// The steps of the manifests in a folder, newest first; and of the data files without one, which
// are what an interrupted write leaves behind, or a lost manifest. Throws std::system_error.
struct Listing {
  std::vector<std::int64_t> checkpoints, unfinished;
};
Listing list_checkpoints(const std::filesystem::path& folder);

// Which checkpoints rotation keeps.
struct Retention {
  int newest = 3;  // at least 2, so that one damaged file loses nothing
  int best = 1;    // those with the highest metric; the newer of equals
};

// Not for several threads at once.
class CheckpointFolder {
 public:
  // Makes the folder when missing, locks it against a second trainer for as long as this lives, and
  // removes unfinished temporary files of a killed one. Throws std::system_error.
  CheckpointFolder(std::filesystem::path folder, Retention retention);

  struct Found {
    std::string name;
    Checkpoint checkpoint;
  };
  // Called for a checkpoint that is passed over, with its name and what is wrong with it.
  using Rejected = std::function<void(const std::string& name, const std::string& why)>;
  // The one with the highest step that verifies. Throws UnknownFormatVersion, naming the file.
  std::optional<Found> newest(const Rejected& rejected);

  // When it returns, the checkpoint survives the machine; the result is the size of its data in
  // bytes. Throws std::system_error.
  std::uint64_t save(const Checkpoint& checkpoint);

  // Removes what is older than the newest that Retention keeps, damaged ones included; but no best
  // one, and nothing while there are not that many. Throws std::system_error.
  void rotate();

 private:
  bool verifies(std::int64_t step);
  std::optional<double> metric_of(std::int64_t step) const;
  // Of these steps, Retention::best that verify and have the highest metrics.
  std::set<std::int64_t> best_of(const std::vector<std::int64_t>& steps);

  std::filesystem::path path_;
  Retention retention_;
  base::FileDescriptor lock_;
  std::map<std::int64_t, std::optional<double>>
      metrics_;  // of what this process wrote or read whole
};

}  // namespace spottrain
