#include "sim/guest/disks/loop_device.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "sim/guest/system_call.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {

namespace {

constexpr std::int64_t kSector = 512;

// The numbers that a file of sysfs begins with; zeros where there are none.
template <std::size_t kCount>
std::array<std::int64_t, kCount> first_numbers(const FileDescriptor& file) {
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

LoopDevice::LoopDevice(const std::filesystem::path& image) {
  const FileDescriptor file(
      checked(open(image.c_str(), O_RDWR | O_CLOEXEC), "opening " + image.string()));
  const FileDescriptor control(
      checked(open("/dev/loop-control", O_RDWR | O_CLOEXEC), "opening /dev/loop-control"));
  loop_config config{};
  config.fd = static_cast<__u32>(file.get());
  config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
  // Another process may take the free device before us.
  for (int attempt = 0;; ++attempt) {
    const int number = checked(ioctl(control.get(), LOOP_CTL_GET_FREE), "finding a loop device");
    path_ = "/dev/loop" + std::to_string(number);
    loop_ = FileDescriptor(
        checked(open(path_.c_str(), O_RDWR | O_CLOEXEC), "opening " + path_.string()));
    // systemd's BLOCK_DEVICE_LOCKING: keeps udev from probing, which would count as read, too.
    flock(loop_.get(), LOCK_EX | LOCK_NB);
    // Before: the kernel sets it anew by what it sees of the image.
    checked(ioctl(loop_.get(), BLKRAGET, &read_ahead_before_), "asking " + path_.string());
    if (ioctl(loop_.get(), LOOP_CONFIGURE, &config) == 0) break;
    if (errno != EBUSY || attempt == 100) throw_errno("configuring " + path_.string());
  }
  checked(ioctl(loop_.get(), BLKRASET, kReadAhead / kSector), "setting up " + path_.string());
  struct stat as {};
  checked(fstat(loop_.get(), &as), "looking at " + path_.string());
  device_ = as.st_rdev;
  const std::string folder = "/sys/block/" + path_.filename().string();
  statistics_ = FileDescriptor(open((folder + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  in_flight_ = FileDescriptor(open((folder + "/inflight").c_str(), O_RDONLY | O_CLOEXEC));
  read_before_ = bytes_read();  // the kernel counts on over all that use the device in turn
}

// Before the device is free for others. Who kills us leaves it at the kernel's own setting: nobody
// could put it back then without disturbing its next user.
LoopDevice::~LoopDevice() {
  if (loop_) ioctl(loop_.get(), BLKRASET, read_ahead_before_);
}

bool LoopDevice::in_use() const {
  const FileDescriptor mine(open(path_.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
  return !mine && errno == EBUSY;
}

std::int64_t LoopDevice::bytes_read() const {
  // Documentation/block/stat: read I/Os, read merges, sectors of 512 bytes read, …; ninth, I/Os
  // that are under way. Documentation/ABI/stable/sysfs-block: of these, reads, then writes.
  auto statistics = first_numbers<9>(statistics_);
  if (statistics[8] != 0) {
    wait_for_kernel([this] { return first_numbers<1>(in_flight_)[0] == 0; });
    statistics = first_numbers<9>(statistics_);
  }
  return statistics[2] * kSector - read_before_;
}

}  // namespace sim::guest
