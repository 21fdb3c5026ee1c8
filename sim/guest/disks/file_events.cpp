#include "sim/guest/disks/file_events.h"

#include <fcntl.h>
#include <sys/fanotify.h>
#include <unistd.h>

#include <array>

namespace sim::guest {
namespace {

// MAX_HANDLE_SZ is what every file system's handles fit in.
constexpr std::size_t kMostHandle = sizeof(file_handle) + MAX_HANDLE_SZ;

FileId bytes_of(const file_handle& handle) {
  return {reinterpret_cast<const char*>(&handle), sizeof handle + handle.handle_bytes};
}

}  // namespace

FileId file_id(int descriptor) {
  alignas(file_handle) std::array<char, kMostHandle> buffer{};
  auto& handle = *reinterpret_cast<file_handle*>(buffer.data());
  handle.handle_bytes = MAX_HANDLE_SZ;
  int mount = 0;
  if (name_to_handle_at(descriptor, "", &handle, &mount, AT_EMPTY_PATH) != 0) return {};
  return bytes_of(handle);
}

base::FileDescriptor open_file(int root, FileId file) {
  return base::FileDescriptor(open_by_handle_at(root, reinterpret_cast<file_handle*>(file.data()),
                                                O_RDONLY | O_NONBLOCK | O_CLOEXEC));
}

FileEvents::FileEvents(int root, std::uint64_t mask)
    : events_(fanotify_init(
          FAN_CLOEXEC | FAN_NONBLOCK | FAN_REPORT_FID | FAN_UNLIMITED_QUEUE | FAN_UNLIMITED_MARKS,
          O_RDONLY)) {
  if (fanotify_mark(events_.get(), FAN_MARK_ADD | FAN_MARK_FILESYSTEM, mask, root, ".") != 0)
    events_ = {};
}

bool FileEvents::take(
    const std::function<void(std::uint64_t mask, const FileId& file)>& visit) const {
  alignas(fanotify_event_metadata) std::array<char, 16384> buffer;
  bool any = false;
  for (ssize_t n; (n = read(events_.get(), buffer.data(), buffer.size())) > 0;) {
    const auto* event = reinterpret_cast<const fanotify_event_metadata*>(buffer.data());
    for (; FAN_EVENT_OK(event, n); event = FAN_EVENT_NEXT(event, n)) {
      if (event->pid == getpid()) continue;
      any = true;
      if (event->event_len == event->metadata_len) {
        visit(event->mask, {});
        continue;
      }
      const auto* file = reinterpret_cast<const fanotify_event_info_fid*>(event + 1);
      visit(event->mask, bytes_of(*reinterpret_cast<const file_handle*>(file->handle)));
    }
  }
  return any;
}

}  // namespace sim::guest
