#include "sim/guest/disks/read_pages.h"

#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/fanotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/guest/disks/page_cache.h"

namespace sim::guest {
namespace {

constexpr std::int64_t kPagesAtOnce = 16384;  // pages that are looked at in one go

// Only if no other process has the file open or mapped does the kernel grant a lease for writing.
// If another process opens the file during the lease, the kernel sends a signal; SIGURG is one that
// no code notices.
bool is_closed(int file) {
  fcntl(file, F_SETSIG, SIGURG);
  return fcntl(file, F_SETLEASE, F_WRLCK) == 0;  // and goes with the descriptor
}

// Adds the places on the volume of a file's bytes.
void add_places(int file, const ByteRange& bytes, std::vector<ByteRange>& places) {
  constexpr unsigned kExtents = 64;
  alignas(fiemap) std::array<char, sizeof(fiemap) + kExtents * sizeof(fiemap_extent)> buffer;
  for (std::int64_t at = bytes.begin; at < bytes.end;) {
    buffer.fill(0);
    auto& map = *reinterpret_cast<fiemap*>(buffer.data());
    map.fm_start = static_cast<__u64>(at);
    map.fm_length = static_cast<__u64>(bytes.end - at);
    map.fm_extent_count = kExtents;
    if (ioctl(file, FS_IOC_FIEMAP, &map) != 0 || map.fm_mapped_extents == 0) return;
    for (unsigned i = 0; i < map.fm_mapped_extents; ++i) {
      const fiemap_extent& extent = map.fm_extents[i];
      const auto begin = static_cast<std::int64_t>(extent.fe_logical);
      const std::int64_t end =
          std::min(begin + static_cast<std::int64_t>(extent.fe_length), bytes.end);
      const std::int64_t shift = static_cast<std::int64_t>(extent.fe_physical) - begin;
      if ((extent.fe_flags & FIEMAP_EXTENT_UNKNOWN) == 0)
        places.push_back({std::max(begin, at) + shift, end + shift});
      at = end;
    }
  }
}

}  // namespace

ReadPages::ReadPages(MountedFileSystem mount, std::int64_t io_bytes)
    : mount_(std::move(mount)), opened_(false), io_bytes_(io_bytes) {
  if (!opened_.watch(open_root(mount_).get(), FAN_OPEN | FAN_MODIFY)) opened_ = {};
}

void ReadPages::hear() {
  opened_.take([this](const FileEvent& event) {
    if (event.file.empty()) return;
    open_.insert(event.file);
    if ((event.what & FAN_MODIFY) != 0) files_[event.file].written = true;
  });
}

PagesRead ReadPages::look(bool places) {
  PagesRead read;
  hear();
  const base::FileDescriptor root = open_root(mount_);
  if (!root) return read;
  for (auto at = open_.begin(); at != open_.end();) {
    const auto opened = open_file(root.get(), *at);
    File& file = files_[*at];
    if (opened && !file.written)
      for (const ByteRange& bytes : new_pages(opened.get(), file)) {
        count(bytes, file, read);
        if (places) add_places(opened.get(), bytes, read.places);
      }
    if (!opened) files_.erase(*at);
    at = !opened || is_closed(opened.get()) ? open_.erase(at) : std::next(at);
  }
  return read;
}

void ReadPages::written(int descriptor) {
  hear();
  const auto file = files_.find(file_id(descriptor));
  if (file == files_.end() || !std::exchange(file->second.written, false)) return;
  // Opens the file again, because the descriptor may be the guest's: write-only, and with a
  // position in the file.
  const base::FileDescriptor root = open_root(mount_);
  if (const auto opened = open_file(root.get(), file->first)) new_pages(opened.get(), file->second);
}

// From now on they are known.
std::vector<ByteRange> ReadPages::new_pages(int descriptor, File& file) const {
  struct stat as {};
  if (fstat(descriptor, &as) != 0 || !S_ISREG(as.st_mode)) return {};
  const std::int64_t pages = (as.st_size + kPage - 1) / kPage;
  file.known.resize(static_cast<std::size_t>(pages));
  std::vector<ByteRange> out;
  // A hole has no place on the volume.
  off_t end = (std::ranges::find(file.known, false) - file.known.begin()) * kPage;
  for (off_t begin; (begin = lseek(descriptor, end, SEEK_DATA)) >= 0;) {
    end = std::max(lseek(descriptor, begin, SEEK_HOLE), begin + 1);
    const std::int64_t behind = std::min((end + kPage - 1) / kPage, pages);
    for (std::int64_t first = begin / kPage; first < behind; first += kPagesAtOnce) {
      const auto resident =
          pages_brought_in(descriptor, first, std::min(kPagesAtOnce, behind - first));
      for (std::size_t i = 0; i < resident.size(); ++i) {
        const std::int64_t page = first + static_cast<std::int64_t>(i);
        auto known = file.known[static_cast<std::size_t>(page)];
        if ((resident[i] & 1) == 0 || known) continue;
        known = true;
        if (out.empty() || out.back().end != page * kPage) out.push_back({page * kPage, 0});
        out.back().end = (page + 1) * kPage;
      }
    }
  }
  return out;
}

void ReadPages::count(const ByteRange& bytes, File& file, PagesRead& read) const {
  read.bytes += bytes.end - bytes.begin;
  if (bytes.begin != file.next) file.in_io = io_bytes_;  // another I/O begins
  const std::int64_t first = std::min(bytes.end - bytes.begin, io_bytes_ - file.in_io);
  const std::int64_t rest = bytes.end - bytes.begin - first;
  const std::int64_t ios = (rest + io_bytes_ - 1) / io_bytes_;
  read.ios += ios;
  file.in_io = ios == 0 ? file.in_io + first : rest - (ios - 1) * io_bytes_;
  file.next = bytes.end;
}

}  // namespace sim::guest
