#include "sim/guest/disks/disk_image.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "base/files/file_descriptor.h"
#include "base/process/system_call.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

void copy_range(int from, int to, off_t begin, off_t end) {
  off_t in = begin, out = begin;
  while (in < end) {
    const auto copied =
        base::checked(copy_file_range(from, &in, to, &out, static_cast<std::size_t>(end - in), 0),
                      "copying a disk image");
    if (copied == 0) return;  // another process truncated the file
  }
}

constexpr std::int64_t kSector = 512;

// The numbers at the beginning of a file of sysfs; zeros for missing ones.
template <std::size_t kCount>
std::array<std::int64_t, kCount> first_numbers(const base::FileDescriptor& file) {
  std::array<char, 256> text;
  std::array<std::int64_t, kCount> out{};
  const ssize_t n = pread(file.get(), text.data(), text.size(), 0);
  const char *at = text.data(), *const end = at + std::max<ssize_t>(n, 0);
  for (std::int64_t& number : out) {
    while (at < end && *at == ' ') ++at;
    at = std::from_chars(at, end, number).ptr;
  }
  return out;
}

}  // namespace

void create_sparse(const std::filesystem::path& file, std::int64_t bytes) {
  const base::FileDescriptor out(base::checked(
      open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644), "making " + file.string()));
  base::checked(ftruncate(out.get(), bytes), "sizing " + file.string());
}

std::vector<ByteRange> data_of(const std::filesystem::path& file) {
  const base::FileDescriptor in(
      base::checked(open(file.c_str(), O_RDONLY | O_CLOEXEC), "opening " + file.string()));
  std::vector<ByteRange> out;
  for (off_t begin, end = 0; (begin = lseek(in.get(), end, SEEK_DATA)) >= 0;) {
    end = base::checked(lseek(in.get(), begin, SEEK_HOLE), "reading " + file.string());
    out.push_back({begin, end});
  }
  if (errno != ENXIO) base::throw_errno("reading " + file.string());  // the rest is a hole
  return out;
}

std::int64_t copy_sparse(const std::filesystem::path& from, const std::filesystem::path& to) {
  create_sparse(to, static_cast<std::int64_t>(std::filesystem::file_size(from)));
  const base::FileDescriptor in(
      base::checked(open(from.c_str(), O_RDONLY | O_CLOEXEC), "opening " + from.string()));
  const base::FileDescriptor out(
      base::checked(open(to.c_str(), O_RDWR | O_CLOEXEC), "opening " + to.string()));
  std::int64_t blocks = 0, counted_to = 0;  // blocks below counted_to are counted
  for (const auto& [begin, end] : data_of(from)) {
    copy_range(in.get(), out.get(), begin, end);
    const std::int64_t first = std::max<std::int64_t>(begin / kSnapshotBlock, counted_to);
    const std::int64_t last = (end + kSnapshotBlock - 1) / kSnapshotBlock;
    blocks += std::max<std::int64_t>(last - first, 0);
    counted_to = std::max(counted_to, last);
  }
  return blocks * kSnapshotBlock;
}

std::int64_t changed_blocks(const std::filesystem::path& previous,
                            const std::filesystem::path& image) {
  const auto opened = [](const std::filesystem::path& file) {
    return base::FileDescriptor(
        base::checked(open(file.c_str(), O_RDONLY | O_CLOEXEC), "opening " + file.string()));
  };
  const base::FileDescriptor before = opened(previous), now = opened(image);
  std::string old_block, block;
  const auto read = [](const base::FileDescriptor& file, std::int64_t at, std::string& to) {
    to.assign(kSnapshotBlock, '\0');  // what follows the end
    base::checked(pread(file.get(), to.data(), to.size(), at), "reading a disk image");
  };
  std::int64_t changed = 0, compared_to = 0;  // blocks below compared_to are compared
  for (const auto& [begin, end] : data_of(image))
    for (std::int64_t i = std::max(begin / kSnapshotBlock, compared_to); i * kSnapshotBlock < end;
         compared_to = ++i) {
      read(before, i * kSnapshotBlock, old_block);
      read(now, i * kSnapshotBlock, block);
      if (block != old_block) ++changed;
    }
  return changed * kSnapshotBlock;
}

void grow(const std::filesystem::path& file, std::int64_t bytes) {
  if (static_cast<std::int64_t>(std::filesystem::file_size(file)) < bytes)
    base::checked(truncate(file.c_str(), bytes), "growing " + file.string());
}

LoopDevice::LoopDevice(const std::filesystem::path& image) {
  const base::FileDescriptor file(
      base::checked(open(image.c_str(), O_RDWR | O_CLOEXEC), "opening " + image.string()));
  const base::FileDescriptor control(
      base::checked(open("/dev/loop-control", O_RDWR | O_CLOEXEC), "opening /dev/loop-control"));
  loop_config config{};
  config.fd = static_cast<__u32>(file.get());
  config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
  // Another process may take the free device before us.
  for (int attempt = 0;; ++attempt) {
    const int number =
        base::checked(ioctl(control.get(), LOOP_CTL_GET_FREE), "finding a loop device");
    path_ = "/dev/loop" + std::to_string(number);
    loop_ = base::FileDescriptor(
        base::checked(open(path_.c_str(), O_RDWR | O_CLOEXEC), "opening " + path_.string()));
    // systemd's BLOCK_DEVICE_LOCKING: the lock keeps udev from probing, which would count as reads,
    // too.
    flock(loop_.get(), LOCK_EX | LOCK_NB);
    // The setting is read first, because the kernel changes it when the image is attached.
    base::checked(ioctl(loop_.get(), BLKRAGET, &read_ahead_before_), "asking " + path_.string());
    if (ioctl(loop_.get(), LOOP_CONFIGURE, &config) == 0) break;
    if (errno != EBUSY || attempt == 100) base::throw_errno("configuring " + path_.string());
  }
  base::checked(ioctl(loop_.get(), BLKRASET, kReadAhead), "setting up " + path_.string());
  struct stat as {};
  base::checked(fstat(loop_.get(), &as), "looking at " + path_.string());
  device_ = as.st_rdev;
  const std::string folder = "/sys/block/" + path_.filename().string();
  statistics_ = base::FileDescriptor(open((folder + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  in_flight_ = base::FileDescriptor(open((folder + "/inflight").c_str(), O_RDONLY | O_CLOEXEC));
  read_before_ = bytes_read();  // the kernel's counter continues over all users of the device
}

// Restores the setting before the device is free for others. After a kill, the kernel sets its
// default of 128 KiB when the device detaches itself. A larger former value is then lost, because
// setting it later would disturb the next user.
LoopDevice::~LoopDevice() {
  if (loop_) ioctl(loop_.get(), BLKRASET, read_ahead_before_);
}

void LoopDevice::follow_size() {
  base::checked(ioctl(loop_.get(), LOOP_SET_CAPACITY), "growing " + path_.string());
}

bool LoopDevice::in_use() const {
  const base::FileDescriptor mine(open(path_.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
  return !mine && errno == EBUSY;
}

std::int64_t LoopDevice::bytes_read() const {
  // Documentation/block/stat: read I/Os, read merges, sectors of 512 bytes read, …; the ninth is
  // I/Os in progress until they are counted. Documentation/ABI/stable/sysfs-block: reads, then
  // writes that the driver has. No one waits for read-ahead, and a read that the driver has
  // finished may not be counted yet.
  auto statistics = first_numbers<9>(statistics_);
  if (statistics[8] != 0) {
    wait_for_kernel([&] {
      const auto [reads, writes] = first_numbers<2>(in_flight_);
      statistics = first_numbers<9>(statistics_);
      return reads == 0 && statistics[8] == writes;
    });
  }
  return statistics[2] * kSector - read_before_;
}

}  // namespace sim::guest
