// The checkpoints of one training, named by step, in a storage (storage.h). It finds the newest
// valid one, stores new ones, and removes old ones by the rules of Retention.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "trainer/checkpoint/checkpoint.h"
#include "trainer/checkpoint/storage.h"

namespace spottrain {

// The content of a storage: the steps with a manifest, the newest first, and the steps of data
// without a manifest. Data without a manifest come from an interrupted write, or their manifest was
// lost. Throws the exceptions of Storage::names.
struct Listing {
  std::vector<std::int64_t> checkpoints, unfinished;
};
Listing list_checkpoints(Storage& storage);
Listing list_checkpoints(const std::filesystem::path& folder);

// Which checkpoints rotation keeps.
struct Retention {
  int newest = 3;  // at least 2, so that one damaged file loses nothing
  int best = 1;    // checkpoints with the highest metric; of equal ones the newer
};

// Not thread-safe. All functions throw the exceptions of their storage.
class CheckpointFolder {
 public:
  CheckpointFolder(std::unique_ptr<Storage> storage, Retention retention);
  // Opens a folder with FolderStorage::for_training.
  CheckpointFolder(const std::filesystem::path& folder, Retention retention);

  Storage& storage() { return *storage_; }

  struct Found {
    std::string name;
    Checkpoint checkpoint;
  };
  // Called for each rejected checkpoint, with its name and the reason.
  using Rejected = std::function<void(const std::string& name, const std::string& why)>;
  // Loads the valid checkpoint with the highest step. Throws UnknownFormatVersion with the file's
  // name. An unreachable bucket is an error, not a reason to skip a checkpoint.
  std::optional<Found> newest(const Rejected& rejected);

  // Saves a checkpoint, which survives the machine when this returns. Returns the size of its data
  // in bytes.
  std::uint64_t save(const Checkpoint& checkpoint);

  // Removes checkpoints, also damaged ones, that are older than Retention's newest. The best
  // checkpoints stay, and nothing is removed while the folder has fewer checkpoints.
  void rotate();

 private:
  bool verifies(std::int64_t step);
  std::optional<double> metric_of(std::int64_t step);
  // Selects the Retention::best valid checkpoints with the highest metrics, among these steps.
  std::set<std::int64_t> best_of(const std::vector<std::int64_t>& steps);

  std::unique_ptr<Storage> storage_;
  Retention retention_;
  std::map<std::int64_t, std::optional<double>>
      metrics_;  // of checkpoints that this process wrote or read completely
};

}  // namespace spottrain
