#include "sim/guest/sandbox/random_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/process/quiet_thread.h"
#include "base/process/system_call.h"
#include "sim/guest/sandbox/mounting.h"
#include "sim/guest/time/lockstep.h"

namespace sim::guest {
namespace {

constexpr const char* kUuid = "/proc/sys/kernel/random/uuid";
constexpr std::uint32_t kMostPages =
    256;  // of one request; the kernel cuts longer reads into several
constexpr std::uint32_t kLongestWrite = 4096;  // a request fits into kRequestBytes with it
constexpr std::size_t kRequestBytes = FUSE_MIN_READ_BUFFER + kLongestWrite;
constexpr std::uint64_t kForEver = std::uint64_t{1} << 32;  // seconds that attributes are good for
// A minor version whose structures linux/fuse.h has, with FUSE_MAX_PAGES; newer kernels speak it
// too.
constexpr std::uint32_t kMinorVersion = 31;

base::FileDescriptor open_fuse() {
  return base::FileDescriptor(::open("/dev/fuse", O_RDWR | O_NONBLOCK | O_CLOEXEC));
}

// The file system's root is the file itself.
bool mount_file(const char* name, const char* path, unsigned mode, int fuse) {
  const std::string options =
      fmt::format("fd={},rootmode={:o},user_id=0,group_id=0,allow_other,default_permissions", fuse,
                  S_IFREG | mode);
  return ::mount(name, path, "fuse", MS_NOSUID | MS_NODEV | MS_NOEXEC, options.c_str()) == 0;
}

std::string random_bytes(Stream& stream, std::size_t size) {
  std::string out(size, '\0');
  for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = stream.next();
    std::memcpy(out.data() + at, &word, std::min(size - at, sizeof word));
  }
  return out;
}

// The kernel ends its file after one line, too.
std::string uuid_at(Stream& stream, std::uint64_t offset) {
  return offset == 0 ? random_uuid(stream) + "\n" : "";
}

template <class T>
std::string raw(const T& value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string random_uuid(Stream& stream) {
  const std::uint64_t high = (stream.next() & ~0xF000ULL) | 0x4000;         // version 4
  const std::uint64_t low = (stream.next() >> 2) | std::uint64_t{1} << 63;  // RFC 9562's variant
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xFFFF,
                     high & 0xFFFF, low >> 48, low & 0xFFFF'FFFF'FFFF);
}

// One file system, as the kernel asks about it (fuse(4)).
struct RandomServer::File {
  base::FileDescriptor fuse;
  Stream stream;
  unsigned mode;  // permissions
  bool is_uuid;

  // Answers pending reads. False if the file does not exist any more.
  bool answer_all();

 private:
  void answer(const char* request);
  std::string read(const fuse_read_in& asked);
  std::string attributes() const;
  void reply(std::uint64_t request, int error, const std::string& body = {}) const;
};

bool RandomServer::File::answer_all() {
  alignas(fuse_in_header) std::array<char, kRequestBytes> request;
  for (;;) {
    if (::read(fuse.get(), request.data(), request.size()) > 0)
      answer(request.data());
    else if (errno != EINTR && errno != ENOENT)  // ENOENT: the reader was killed
      return errno == EAGAIN;
  }
}

void RandomServer::File::answer(const char* request) {
  fuse_in_header header{};
  std::memcpy(&header, request, sizeof header);
  const auto argument = [request]<class T>(T out) {
    std::memcpy(&out, request + sizeof header, sizeof out);
    return out;
  };
  const auto reply_with = [&](const std::string& body) { reply(header.unique, 0, body); };
  switch (header.opcode) {
    case FUSE_INIT: {
      fuse_init_out out{};
      out.major = FUSE_KERNEL_VERSION;
      out.minor = kMinorVersion;
      out.flags =
          argument(fuse_init_in{}).flags & (FUSE_MAX_PAGES | FUSE_ATOMIC_O_TRUNC | FUSE_BIG_WRITES);
      out.max_write = kLongestWrite;
      out.max_pages = kMostPages;
      out.time_gran = 1;
      return reply_with(raw(out));
    }
    case FUSE_GETATTR:
    case FUSE_SETATTR:
      return reply_with(attributes());  // what chmod(1) asks for has no effect
    case FUSE_OPEN: {
      fuse_open_out out{};
      out.open_flags = FOPEN_DIRECT_IO;  // each read is asked for, with its length
      return reply_with(raw(out));
    }
    case FUSE_READ:
      return reply_with(read(argument(fuse_read_in{})));
    case FUSE_WRITE: {  // which on a machine only adds to the kernel's entropy
      fuse_write_out out{};
      out.size = argument(fuse_write_in{}).size;
      return reply_with(raw(out));
    }
    case FUSE_STATFS:
      return reply_with(raw(fuse_statfs_out{}));
    case FUSE_RELEASE:
      return reply_with("");
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
      return;  // have no answer
    default:
      return reply(header.unique, ENOSYS);
  }
}

std::string RandomServer::File::read(const fuse_read_in& asked) {
  return is_uuid ? uuid_at(stream, asked.offset).substr(0, asked.size)
                 : random_bytes(stream, asked.size);
}

std::string RandomServer::File::attributes() const {
  fuse_attr_out out{};
  out.attr_valid = kForEver;
  out.attr.ino = FUSE_ROOT_ID;
  out.attr.mode = S_IFREG | mode;
  out.attr.nlink = 1;
  out.attr.blksize = 4096;
  return raw(out);
}

void RandomServer::File::reply(std::uint64_t request, int error, const std::string& body) const {
  fuse_out_header header{};
  header.len = static_cast<std::uint32_t>(sizeof header + body.size());
  header.error = -error;
  header.unique = request;
  const iovec parts[] = {{&header, sizeof header}, {const_cast<char*>(body.data()), body.size()}};
  static_cast<void>(!writev(fuse.get(), parts, 2));  // the reader may have been killed
}

RandomFiles RandomFiles::open() { return {open_fuse(), open_fuse()}; }

void RandomFiles::mount() {
  if (!mount_file("urandom", "/dev/urandom", 0666, bytes.get())) {
    *this = {};
    return;
  }
  bind_mount("/dev/urandom", "/dev/random");
  if (!mount_file("uuid", kUuid, 0444, uuid.get())) base::throw_errno("mounting the UUIDs");
}

RandomServer::RandomServer(const Streams& streams, bool lockstep)
    : streams_(streams),
      lockstep_(lockstep),
      ready_(base::checked(epoll_create1(EPOLL_CLOEXEC), "watching random files")),
      end_(base::checked(eventfd(0, EFD_CLOEXEC), "making an eventfd")) {}

RandomServer::~RandomServer() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  static_cast<void>(!write(end_.get(), &one, sizeof one));
  thread_.join();
}

void RandomServer::serve(const std::string& machine, RandomFiles files) {
  const std::lock_guard lock(mutex_);
  const auto add = [this](base::FileDescriptor fuse, Stream stream, unsigned mode, bool is_uuid) {
    const int key = fuse.get();
    files_.insert_or_assign(key, File{std::move(fuse), stream, mode, is_uuid});
    epoll_event heard{.events = EPOLLIN, .data = {.fd = key}};
    base::checked(epoll_ctl(ready_.get(), EPOLL_CTL_ADD, key, &heard), "watching random files");
  };
  add(std::move(files.bytes), streams_.stream("urandom", machine), 0666, false);
  add(std::move(files.uuid), streams_.stream("random uuid", machine), 0444, true);
  if (thread_.joinable()) return;
  thread_ = base::quiet_thread([this] { work(); });
  if (lockstep_) precede_lockstep(thread_);
}

void RandomServer::work() {
  for (;;) {
    pollfd from[] = {{ready_.get(), POLLIN, 0}, {end_.get(), POLLIN, 0}};
    if (poll(from, 2, -1) < 1) continue;
    if (from[1].revents != 0) return;
    const std::lock_guard lock(mutex_);
    answer_ready();
  }
}

bool RandomServer::answer_ready() {
  epoll_event ready{};
  if (epoll_wait(ready_.get(), &ready, 1, 0) < 1) return false;
  const auto file = files_.find(ready.data.fd);
  if (!file->second.answer_all()) {
    epoll_ctl(ready_.get(), EPOLL_CTL_DEL, ready.data.fd, nullptr);
    files_.erase(file);
  }
  return true;
}

bool RandomServer::settle() {
  if (lockstep_ || !thread_.joinable()) return false;
  const std::lock_guard lock(mutex_);  // the thread may be answering
  return answer_ready();
}

}  // namespace sim::guest
