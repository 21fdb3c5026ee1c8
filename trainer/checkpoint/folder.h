// The checkpoints of one training, named by step.
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

// The steps of the manifests in a storage, newest first; and of the data without one, which are
// what an interrupted write leaves behind, or a lost manifest. Throws what Storage::names does.
struct Listing {
  std::vector<std::int64_t> checkpoints, unfinished;
};
Listing list_checkpoints(Storage& storage);
Listing list_checkpoints(const std::filesystem::path& folder);

// Which checkpoints rotation keeps.
struct Retention {
  int newest = 3;  // at least 2, so that one damaged file loses nothing
  int best = 1;    // those with the highest metric; the newer of equals
};

// Not for several threads at once. All throw what their storage does.
class CheckpointFolder {
 public:
  CheckpointFolder(std::unique_ptr<Storage> storage, Retention retention);
  // In a folder, as FolderStorage::for_training opens it.
  CheckpointFolder(const std::filesystem::path& folder, Retention retention);

  Storage& storage() { return *storage_; }

  struct Found {
    std::string name;
    Checkpoint checkpoint;
  };
  // Called for a checkpoint that is passed over, with its name and what is wrong with it.
  using Rejected = std::function<void(const std::string& name, const std::string& why)>;
  // The one with the highest step that verifies. Throws UnknownFormatVersion, naming the file. A
  // bucket out of reach is an error and no reason to pass a checkpoint over.
  std::optional<Found> newest(const Rejected& rejected);

  // When it returns, the checkpoint survives the machine; the result is the size of its data in
  // bytes.
  std::uint64_t save(const Checkpoint& checkpoint);

  // Removes what is older than the newest that Retention keeps, damaged ones included; but no best
  // one, and nothing while there are not that many.
  void rotate();

 private:
  bool verifies(std::int64_t step);
  std::optional<double> metric_of(std::int64_t step);
  // Of these steps, Retention::best that verify and have the highest metrics.
  std::set<std::int64_t> best_of(const std::vector<std::int64_t>& steps);

  std::unique_ptr<Storage> storage_;
  Retention retention_;
  std::map<std::int64_t, std::optional<double>>
      metrics_;  // of what this process wrote or read whole
};

}  // namespace spottrain
