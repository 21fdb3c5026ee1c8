#include "sim/guest/disks/dirty_files.h"

#include <fcntl.h>
#include <sys/fanotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

// MAX_HANDLE_SZ is what every file system's handles fit in.
constexpr std::size_t kMostHandle = sizeof(file_handle) + MAX_HANDLE_SZ;
constexpr std::uint64_t kNames =
    FAN_ATTRIB | FAN_CREATE | FAN_DELETE | FAN_MOVED_FROM | FAN_MOVED_TO | FAN_ONDIR;

std::string bytes_of(const file_handle& handle) {
  return {reinterpret_cast<const char*>(&handle), sizeof handle + handle.handle_bytes};
}

// Empty when the file is gone.
base::FileDescriptor open_handle(int root, std::string handle) {
  return base::FileDescriptor(open_by_handle_at(root, reinterpret_cast<file_handle*>(handle.data()),
                                                O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

}  // namespace

DirtyFiles::DirtyFiles(int root)
    : changes_(fanotify_init(
          FAN_CLOEXEC | FAN_NONBLOCK | FAN_REPORT_FID | FAN_UNLIMITED_QUEUE | FAN_UNLIMITED_MARKS,
          O_RDONLY)) {
  if (fanotify_mark(changes_.get(), FAN_MARK_ADD | FAN_MARK_FILESYSTEM, FAN_MODIFY | kNames, root,
                    ".") != 0)
    changes_ = {};
}

bool DirtyFiles::hear(Time now) {
  alignas(fanotify_event_metadata) std::array<char, 16384> buffer;
  const auto real = real_time();
  bool any = false;
  for (ssize_t n; (n = read(changes_.get(), buffer.data(), buffer.size())) > 0;) {
    const auto* event = reinterpret_cast<const fanotify_event_metadata*>(buffer.data());
    for (; FAN_EVENT_OK(event, n); event = FAN_EVENT_NEXT(event, n)) {
      if (event->pid == getpid()) continue;
      any = true;
      if ((event->mask & FAN_MODIFY) == 0 || event->event_len == event->metadata_len) continue;
      const auto* file = reinterpret_cast<const fanotify_event_info_fid*>(event + 1);
      const auto& handle = *reinterpret_cast<const file_handle*>(file->handle);
      files_.try_emplace(bytes_of(handle), Since{now, real});
    }
  }
  return any;
}

void DirtyFiles::cleaned(int descriptor) {
  alignas(file_handle) std::array<char, kMostHandle> buffer{};
  auto& handle = *reinterpret_cast<file_handle*>(buffer.data());
  handle.handle_bytes = MAX_HANDLE_SZ;
  int mount = 0;
  if (name_to_handle_at(descriptor, "", &handle, &mount, AT_EMPTY_PATH) == 0)
    files_.erase(bytes_of(handle));
}

void DirtyFiles::each(int root, const Visit& visit) const {
  for (const auto& [handle, since] : files_)
    if (const auto file = open_handle(root, handle)) visit(file.get());
}

void DirtyFiles::write_back(int root, Time until, const Visit& written) {
  if (root < 0) return cleaned();
  for (auto at = files_.begin(); at != files_.end();) {
    if (at->second.virtual_time > until) {
      ++at;
      continue;
    }
    if (const auto file = open_handle(root, at->first)) {
      sync_file_range(
          file.get(), 0, 0,
          SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
      written(file.get());
    }
    at = files_.erase(at);
  }
}

void DirtyFiles::finish_writes(int root) const {
  each(root, [](int file) { sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE); });
}

std::chrono::microseconds DirtyFiles::real_age() const {
  std::chrono::microseconds oldest{};
  const auto now = real_time();
  for (const auto& [handle, since] : files_) oldest = std::max(oldest, now - since.real);
  return oldest;
}

}  // namespace sim::guest
