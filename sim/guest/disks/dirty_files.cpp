#include "sim/guest/disks/dirty_files.h"

#include <fcntl.h>
#include <sys/fanotify.h>

#include <algorithm>

#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

constexpr std::uint64_t kNames =
    FAN_ATTRIB | FAN_CREATE | FAN_DELETE | FAN_MOVED_FROM | FAN_MOVED_TO | FAN_ONDIR;

void write_file_back(int root, const FileId& id, const DirtyFiles::Visit& visit) {
  const base::FileDescriptor file = open_file(root, id);
  if (!file) return;
  visit(file.get());
  sync_file_range(file.get(), 0, 0,
                  SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
}

}  // namespace

DirtyFiles::DirtyFiles(int root) : changes_(true) {
  if (!changes_.watch(root, FAN_MODIFY | kNames)) changes_ = {};
}

bool DirtyFiles::hear(Time now) {
  const auto real = real_time();
  return changes_.take([&](const FileEvent& event) {
    if ((event.what & FAN_MODIFY) != 0 && !event.file.empty())
      files_.try_emplace(event.file, Since{now, real});
  });
}

void DirtyFiles::cleaned(int descriptor) { files_.erase(file_id(descriptor)); }

void DirtyFiles::each(int root, const Visit& visit) const {
  for (const auto& [id, since] : files_)
    if (const auto file = open_file(root, id)) visit(file.get());
}

void DirtyFiles::write_back(int root, Time until, const Visit& visit) {
  if (root < 0) return cleaned();
  for (auto at = files_.begin(); at != files_.end();) {
    if (at->second.virtual_time > until) {
      ++at;
      continue;
    }
    write_file_back(root, at->first, visit);
    at = files_.erase(at);
  }
}

bool DirtyFiles::has_any(const std::set<FileId>& files) const {
  return std::ranges::any_of(files, [this](const FileId& id) { return files_.contains(id); });
}

void DirtyFiles::write_back(int root, const std::set<FileId>& files, const Visit& visit) {
  for (const FileId& id : files)
    if (files_.erase(id) > 0 && root >= 0) write_file_back(root, id, visit);
}

void DirtyFiles::start_writes(int root) const {
  each(root, [](int file) { sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE); });
}

void DirtyFiles::finish_writes(int root) const {
  each(root, [](int file) { sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE); });
}

std::chrono::microseconds DirtyFiles::real_age() const {
  std::chrono::microseconds oldest{};
  const auto now = real_time();
  for (const auto& [id, since] : files_) oldest = std::max(oldest, now - since.real);
  return oldest;
}

}  // namespace sim::guest
