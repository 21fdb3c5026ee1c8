#include "trainer/checkpoint/folder.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <system_error>
#include <utility>

#include "trainer/checkpoint/damage.h"
#include "trainer/checkpoint/folder_storage.h"
#include "trainer/checkpoint/store.h"

namespace spottrain {
namespace {

// True if `read` succeeds, so that the data is readable and undamaged.
template <typename Read>
bool is_whole(Read read) {
  try {
    read();
  } catch (const DamagedCheckpoint&) {
    return false;
  } catch (const UnknownFormatVersion&) {
    return false;
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

}  // namespace

Listing list_checkpoints(Storage& storage) {
  using Steps = std::set<std::int64_t, std::greater<>>;
  Steps manifests, data;
  for (const std::string& name : storage.names()) {
    if (const auto step = step_of_manifest(name)) manifests.insert(*step);
    if (const auto step = step_of_checkpoint(name)) data.insert(*step);
  }
  Listing listing{.checkpoints = {manifests.begin(), manifests.end()}, .unfinished = {}};
  std::set_difference(data.begin(), data.end(), manifests.begin(), manifests.end(),
                      std::back_inserter(listing.unfinished), std::greater<>());
  return listing;
}

Listing list_checkpoints(const std::filesystem::path& folder) {
  FolderStorage storage(folder);
  return list_checkpoints(storage);
}

CheckpointFolder::CheckpointFolder(std::unique_ptr<Storage> storage, Retention retention)
    : storage_(std::move(storage)), retention_(retention) {}

CheckpointFolder::CheckpointFolder(const std::filesystem::path& folder, Retention retention)
    : CheckpointFolder(FolderStorage::for_training(folder), retention) {}

std::optional<CheckpointFolder::Found> CheckpointFolder::newest(const Rejected& rejected) {
  for (const std::int64_t step : list_checkpoints(*storage_).checkpoints) {
    const std::string name = checkpoint_name(step);
    try {
      Stored stored = load_checkpoint(*storage_, step);
      metrics_[step] = stored.manifest.metric;
      return Found{name, std::move(stored.checkpoint)};
    } catch (const DamagedCheckpoint& error) {
      rejected(name, error.what());
    } catch (const std::system_error& error) {
      rejected(name, error.what());
    } catch (const UnknownFormatVersion& error) {
      throw UnknownFormatVersion(storage_->path_of(name) + ": " + error.what());
    }
  }
  return {};
}

std::uint64_t CheckpointFolder::save(const Checkpoint& checkpoint) {
  const std::uint64_t bytes = storage_->store(checkpoint);
  metrics_[checkpoint.step] = checkpoint.metric;
  return bytes;
}

bool CheckpointFolder::verifies(std::int64_t step) {
  if (metrics_.contains(step)) return true;
  return is_whole([&] { metrics_[step] = load_checkpoint(*storage_, step).manifest.metric; });
}

std::optional<double> CheckpointFolder::metric_of(std::int64_t step) {
  if (const auto known = metrics_.find(step); known != metrics_.end()) return known->second;
  std::optional<double> metric;
  is_whole([&] { metric = read_manifest(*storage_, step).metric; });
  return metric;
}

std::set<std::int64_t> CheckpointFolder::best_of(const std::vector<std::int64_t>& steps) {
  std::set<std::int64_t> best;
  if (retention_.best == 0) return best;
  std::vector<std::pair<double, std::int64_t>> candidates;
  for (const std::int64_t step : steps) {
    if (const auto metric = metric_of(step)) candidates.emplace_back(*metric, step);
  }
  std::sort(candidates.begin(), candidates.end(), std::greater<>());
  for (const auto& [metric, step] : candidates) {
    if (std::ssize(best) == retention_.best) break;
    if (verifies(step)) best.insert(step);
  }
  return best;
}

void CheckpointFolder::rotate() {
  const Listing listing = list_checkpoints(*storage_);
  int good = 0;
  const auto oldest_kept = std::find_if(
      listing.checkpoints.begin(), listing.checkpoints.end(),
      [&](std::int64_t step) { return verifies(step) && ++good == retention_.newest; });
  if (oldest_kept == listing.checkpoints.end()) return;
  const std::set<std::int64_t> best = best_of(listing.checkpoints);
  for (const auto& steps : {listing.checkpoints, listing.unfinished}) {
    for (const std::int64_t step : steps) {
      if (step >= *oldest_kept || best.contains(step)) continue;
      remove_checkpoint(*storage_, step);
      metrics_.erase(step);
    }
  }
}

}  // namespace spottrain
