#include "sim/guest/disks/file_events.h"

#include <fcntl.h>
#include <sys/fanotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace sim::guest {
namespace {

// MAX_HANDLE_SZ is large enough for the handles of every file system.
constexpr std::size_t kMostHandle = sizeof(file_handle) + MAX_HANDLE_SZ;

FileId bytes_of(const file_handle& handle) {
  return {reinterpret_cast<const char*>(&handle), sizeof handle + handle.handle_bytes};
}

constexpr std::uint64_t kOfNames = FAN_CREATE | FAN_DELETE | FAN_MOVED_FROM | FAN_MOVED_TO;

// With `names`, events name the file and its folder; before Linux 5.17 only the folder.
int listener(bool names) {
  constexpr unsigned how =
      FAN_CLOEXEC | FAN_NONBLOCK | FAN_REPORT_FID | FAN_UNLIMITED_QUEUE | FAN_UNLIMITED_MARKS;
  const int both = names ? fanotify_init(how | FAN_REPORT_DFID_NAME_TARGET, O_RDONLY) : -1;
  return both >= 0 ? both : fanotify_init(how, O_RDONLY);
}

template <typename Fsid>
std::uint64_t number(const Fsid& fsid) {
  static_assert(sizeof fsid == sizeof(std::uint64_t));
  std::uint64_t out = 0;
  std::memcpy(&out, &fsid, sizeof out);
  return out;
}

struct Files {
  FileId file, folder;
  std::uint64_t filesystem = 0;
};

// The parts of an event; a part that the kernel does not report is empty.
Files files_of(const fanotify_event_metadata* event) {
  Files out;
  const char* at = reinterpret_cast<const char*>(event) + event->metadata_len;
  const char* const end = reinterpret_cast<const char*>(event) + event->event_len;
  while (at < end) {
    const auto* told = reinterpret_cast<const fanotify_event_info_fid*>(at);
    FileId& of = told->hdr.info_type == FAN_EVENT_INFO_TYPE_FID ? out.file : out.folder;
    of = bytes_of(*reinterpret_cast<const file_handle*>(told->handle));
    out.filesystem = number(told->fsid);
    at += told->hdr.len;
  }
  return out;
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

base::FileDescriptor open_file(int root, FileId file, int how) {
  if (file.empty()) return {};
  struct stat as {};
  if ((how & O_PATH) == 0) {
    const base::FileDescriptor at = open_file(root, file, O_PATH);
    if (!at || fstat(at.get(), &as) != 0 || !S_ISREG(as.st_mode)) return {};
  }
  return base::FileDescriptor(
      open_by_handle_at(root, reinterpret_cast<file_handle*>(file.data()), how | O_CLOEXEC));
}

std::uint64_t filesystem_id(int descriptor) {
  struct statfs as {};
  return fstatfs(descriptor, &as) == 0 ? number(as.f_fsid) : 0;
}

FileEvents::FileEvents(bool names) : events_(listener(names)) {}

bool FileEvents::watch(int root, std::uint64_t mask) const {
  return fanotify_mark(events_.get(), FAN_MARK_ADD | FAN_MARK_FILESYSTEM, mask, root, ".") == 0;
}

bool FileEvents::take(const std::function<void(const FileEvent&)>& visit) const {
  alignas(fanotify_event_metadata) std::array<char, 16384> buffer;
  bool any = false;
  for (ssize_t n; (n = read(events_.get(), buffer.data(), buffer.size())) > 0;) {
    const auto* event = reinterpret_cast<const fanotify_event_metadata*>(buffer.data());
    for (; FAN_EVENT_OK(event, n); event = FAN_EVENT_NEXT(event, n)) {
      if (event->pid == getpid()) continue;
      any = true;
      const auto [file, folder, filesystem] = files_of(event);
      visit({event->mask, file.empty() ? folder : file, filesystem});
      if ((event->mask & kOfNames) != 0 && !file.empty())
        visit({event->mask & kOfNames, folder, filesystem});
    }
  }
  return any;
}

}  // namespace sim::guest
