#include "trainer/checkpoint/folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <iterator>
#include <system_error>

#include "base/file_descriptor.h"
#include "base/whole_file.h"
#include "trainer/checkpoint/damage.h"
#include "trainer/checkpoint/store.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

// Takes the folder's lock, which the kernel gives back however the process ends.
base::FileDescriptor lock_folder(const fs::path& folder) {
  base::FileDescriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) throw std::system_error(errno, std::generic_category(), "open " + folder.string());
  if (flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return fd;
  const bool busy = errno == EWOULDBLOCK;
  throw std::system_error(errno, std::generic_category(),
                          (busy ? "another trainer uses " : "lock ") + folder.string());
}

void remove_temporary_files(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.size() < 5 || !name.starts_with('.') || !name.ends_with(".tmp")) continue;
    const std::string target = name.substr(1, name.size() - 5);
    if (step_of_checkpoint(target) || step_of_manifest(target)) fs::remove(entry.path());
  }
}

}  // namespace

Listing list_checkpoints(const fs::path& folder) {
  using Steps = std::set<std::int64_t, std::greater<>>;
  Steps manifests, data;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (const auto step = step_of_manifest(name)) manifests.insert(*step);
    if (const auto step = step_of_checkpoint(name)) data.insert(*step);
  }
  Listing listing{.checkpoints = {manifests.begin(), manifests.end()}, .unfinished = {}};
  std::set_difference(data.begin(), data.end(), manifests.begin(), manifests.end(),
                      std::back_inserter(listing.unfinished), std::greater<>());
  return listing;
}

CheckpointFolder::CheckpointFolder(fs::path folder, Retention retention)
    : path_(std::move(folder)), retention_(retention) {
  if (fs::create_directories(path_)) base::sync_folder(fs::absolute(path_).parent_path());
  lock_ = lock_folder(path_);
  remove_temporary_files(path_);
}

std::optional<CheckpointFolder::Found> CheckpointFolder::newest(const Rejected& rejected) {
  for (const std::int64_t step : list_checkpoints(path_).checkpoints) {
    const std::string name = checkpoint_name(step);
    try {
      Stored stored = load_checkpoint(path_, step);
      metrics_[step] = stored.manifest.metric;
      return Found{name, std::move(stored.checkpoint)};
    } catch (const DamagedCheckpoint& error) {
      rejected(name, error.what());
    } catch (const std::system_error& error) {
      rejected(name, error.what());
    } catch (const UnknownFormatVersion& error) {
      throw UnknownFormatVersion((path_ / name).string() + ": " + error.what());
    }
  }
  return {};
}

std::uint64_t CheckpointFolder::save(const Checkpoint& checkpoint) {
  const std::uint64_t bytes = store_checkpoint(path_, checkpoint);
  metrics_[checkpoint.step] = checkpoint.metric;
  return bytes;
}

bool CheckpointFolder::verifies(std::int64_t step) {
  if (metrics_.contains(step)) return true;
  try {
    metrics_[step] = load_checkpoint(path_, step).manifest.metric;
  } catch (const std::runtime_error&) {
    return false;
  }
  return true;
}

std::optional<double> CheckpointFolder::metric_of(std::int64_t step) const {
  if (const auto known = metrics_.find(step); known != metrics_.end()) return known->second;
  try {
    return read_manifest(path_, step).metric;
  } catch (const std::runtime_error&) {
    return {};
  }
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
  const Listing listing = list_checkpoints(path_);
  int good = 0;
  const auto oldest_kept = std::find_if(
      listing.checkpoints.begin(), listing.checkpoints.end(),
      [&](std::int64_t step) { return verifies(step) && ++good == retention_.newest; });
  if (oldest_kept == listing.checkpoints.end()) return;
  const std::set<std::int64_t> best = best_of(listing.checkpoints);
  for (const auto& steps : {listing.checkpoints, listing.unfinished}) {
    for (const std::int64_t step : steps) {
      if (step >= *oldest_kept || best.contains(step)) continue;
      remove_checkpoint(path_, step);
      metrics_.erase(step);
    }
  }
}

}  // namespace spottrain
