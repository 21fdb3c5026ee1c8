#include "sim/guest/disks/read_pages.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/fanotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sim/guest/disks/page_cache.h"

namespace sim::guest {
namespace {

constexpr std::int64_t kPagesAtOnce = 16384;  // pages that are looked at in one go

// Nobody else has it open or mapped: only then the kernel grants a lease for writing. It tells who
// opens the file meanwhile by a signal; SIGURG is one that nobody notices.
bool is_closed(int file) {
  fcntl(file, F_SETSIG, SIGURG);
  return fcntl(file, F_SETLEASE, F_WRLCK) == 0;  // and goes with the descriptor
}

}  // namespace

ReadPages::ReadPages(MountedFileSystem mount, std::int64_t io_bytes)
    : mount_(std::move(mount)),
      opened_(open_root(mount_).get(), FAN_OPEN | FAN_MODIFY),
      io_pages_(io_bytes / kPage) {}

void ReadPages::hear() {
  opened_.take([this](std::uint64_t what, const FileId& file) {
    if (file.empty()) return;
    open_.insert(file);
    if ((what & FAN_MODIFY) != 0) files_[file].written = true;
  });
}

PagesRead ReadPages::look() {
  PagesRead read;
  hear();
  const base::FileDescriptor root = open_root(mount_);
  if (!root) return read;
  for (auto at = open_.begin(); at != open_.end();) {
    const auto file = open_file(root.get(), *at);
    if (file)
      look_at(file.get(), files_[*at], read);
    else
      files_.erase(*at);
    at = !file || is_closed(file.get()) ? open_.erase(at) : std::next(at);
  }
  return read;
}

void ReadPages::look_at(int descriptor, File& file, PagesRead& read) const {
  struct stat as {};
  if (fstat(descriptor, &as) != 0 || !S_ISREG(as.st_mode)) return;
  const std::int64_t pages = (as.st_size + kPage - 1) / kPage;
  file.known.resize(static_cast<std::size_t>(pages));
  if (std::ranges::find(file.known, false) == file.known.end()) return;
  // Holes are nowhere.
  for (off_t end = 0, begin; (begin = lseek(descriptor, end, SEEK_DATA)) >= 0;) {
    end = std::max(lseek(descriptor, begin, SEEK_HOLE), begin + 1);
    const std::int64_t behind = std::min((end + kPage - 1) / kPage, pages);
    for (std::int64_t first = begin / kPage; first < behind; first += kPagesAtOnce) {
      const auto resident =
          pages_in_memory(descriptor, first, std::min(kPagesAtOnce, behind - first));
      for (std::size_t i = 0; i < resident.size(); ++i)
        if ((resident[i] & 1) != 0) count(first + static_cast<std::int64_t>(i), file, read);
    }
  }
  file.written = false;
}

void ReadPages::count(std::int64_t page, File& file, PagesRead& read) const {
  auto known = file.known[static_cast<std::size_t>(page)];
  if (known) return;
  known = true;
  if (file.written) return;
  if (page != file.next || file.in_io == io_pages_) {
    ++read.ios;
    file.in_io = 0;
  }
  ++file.in_io;
  file.next = page + 1;
  read.bytes += kPage;
}

}  // namespace sim::guest
