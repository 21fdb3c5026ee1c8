#include "trainer/checkpoint/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <charconv>
#include <system_error>

#include "trainer/checkpoint/codec.h"
#include "trainer/checkpoint/durable_file.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kSuffix = ".ckpt";

// Takes the folder's lock, which the kernel gives back however the process ends.
Descriptor lock_folder(const fs::path& folder) {
  Descriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) throw std::system_error(errno, std::generic_category(), "open " + folder.string());
  if (flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return fd;
  const bool busy = errno == EWOULDBLOCK;
  throw std::system_error(errno, std::generic_category(),
                          (busy ? "another trainer uses " : "lock ") + folder.string());
}

void remove_unfinished(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.size() < 5 || !name.starts_with('.') || !name.ends_with(".tmp")) continue;
    if (step_of(std::string_view(name).substr(1, name.size() - 5))) fs::remove(entry.path());
  }
}

}  // namespace

std::string checkpoint_name(std::int64_t step) {
  return fmt::format("{}{:010}{}", kPrefix, step, kSuffix);
}

std::optional<std::int64_t> step_of(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return {};
  if (name.size() <= kPrefix.size() + kSuffix.size()) return {};
  name = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
  std::int64_t step = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  if (error != std::errc() || stop != name.data() + name.size() || step < 0) return {};
  return step;
}

CheckpointFolder::CheckpointFolder(fs::path folder, int keep)
    : path_(std::move(folder)), keep_(keep) {
  if (fs::create_directories(path_)) sync_folder(fs::absolute(path_).parent_path());
  lock_ = lock_folder(path_);
  remove_unfinished(path_);
}

std::map<std::int64_t, std::string, std::greater<>> CheckpointFolder::names_by_step() const {
  std::map<std::int64_t, std::string, std::greater<>> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_)) {
    const std::string name = entry.path().filename().string();
    if (const auto step = step_of(name)) names[*step] = name;
  }
  return names;
}

std::optional<CheckpointFolder::Found> CheckpointFolder::newest(const Rejected& rejected) {
  for (const auto& [step, name] : names_by_step()) {
    try {
      Found found{name, decode(read_whole_file(path_ / name))};
      if (found.checkpoint.step != step) {
        throw DamagedCheckpoint(fmt::format("it is of step {}", found.checkpoint.step));
      }
      verified_.insert(step);
      return found;
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
  const std::string bytes = encode(checkpoint);
  write_durably(path_, checkpoint_name(checkpoint.step), bytes);
  verified_.insert(checkpoint.step);
  return bytes.size();
}

bool CheckpointFolder::verifies(std::int64_t step, const std::string& name) {
  if (verified_.contains(step)) return true;
  try {
    if (decode(read_whole_file(path_ / name)).step != step) return false;
  } catch (const std::runtime_error&) {
    return false;
  }
  verified_.insert(step);
  return true;
}

void CheckpointFolder::rotate() {
  int good = 0;
  for (const auto& [step, name] : names_by_step()) {
    if (good == keep_) {
      fs::remove(path_ / name);
      verified_.erase(step);
    } else if (verifies(step, name)) {
      ++good;
    }
  }
}

}  // namespace spottrain
