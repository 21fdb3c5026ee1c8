#include "sim/guest/disks/sparse_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "sim/guest/file_descriptor.h"
#include "sim/guest/system_call.h"

namespace sim::guest {
namespace {

void copy_range(int from, int to, off_t begin, off_t end) {
  off_t in = begin, out = begin;
  while (in < end) {
    const auto copied =
        checked(copy_file_range(from, &in, to, &out, static_cast<std::size_t>(end - in), 0),
                "copying a disk image");
    if (copied == 0) return;  // somebody cut it off
  }
}

}  // namespace

void create_sparse(const std::filesystem::path& file, std::int64_t bytes) {
  const FileDescriptor out(checked(open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644),
                                   "making " + file.string()));
  checked(ftruncate(out.get(), bytes), "sizing " + file.string());
}

std::int64_t copy_sparse(const std::filesystem::path& from, const std::filesystem::path& to) {
  const FileDescriptor in(
      checked(open(from.c_str(), O_RDONLY | O_CLOEXEC), "opening " + from.string()));
  struct stat as {};
  checked(fstat(in.get(), &as), "looking at " + from.string());
  create_sparse(to, as.st_size);
  const FileDescriptor out(checked(open(to.c_str(), O_RDWR | O_CLOEXEC), "opening " + to.string()));
  std::int64_t blocks = 0, counted_to = 0;  // blocks below counted_to are counted
  off_t end = 0;
  for (;;) {
    const off_t begin = lseek(in.get(), end, SEEK_DATA);
    if (begin < 0) {
      if (errno == ENXIO) return blocks * kSnapshotBlock;  // the rest is hole
      throw_errno("reading " + from.string());
    }
    end = checked(lseek(in.get(), begin, SEEK_HOLE), "reading " + from.string());
    copy_range(in.get(), out.get(), begin, end);
    const std::int64_t first = std::max<std::int64_t>(begin / kSnapshotBlock, counted_to);
    const std::int64_t last = (end + kSnapshotBlock - 1) / kSnapshotBlock;
    blocks += std::max<std::int64_t>(last - first, 0);
    counted_to = std::max(counted_to, last);
  }
}

void grow(const std::filesystem::path& file, std::int64_t bytes) {
  if (static_cast<std::int64_t>(std::filesystem::file_size(file)) < bytes)
    checked(truncate(file.c_str(), bytes), "growing " + file.string());
}

}  // namespace sim::guest
