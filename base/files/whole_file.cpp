#include "base/files/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/files/file_descriptor.h"
#include "base/process/system_call.h"

namespace base {

namespace fs = std::filesystem;

namespace {

// A signal does not end it.
void sync(const FileDescriptor& fd, const std::string& what) {
  int result;
  do {
    result = fsync(fd.get());
  } while (result < 0 && errno == EINTR);
  checked(result, "fsync " + what);
}

// The size of the file, and one byte more to see the end. The kernel's own files state no size.
std::size_t first_room(const FileDescriptor& fd) {
  constexpr std::size_t kUnknown = 4 << 10, kMost = 1 << 20;
  struct stat is {};
  if (fstat(fd.get(), &is) != 0 || is.st_size <= 0) return kUnknown;
  return std::min(static_cast<std::size_t>(is.st_size) + 1, kMost);
}

// Reads the file; returns 0 or an errno. No exception: it is usual that a file is not there, and a
// forked process may not be able to throw. The text takes hardly more memory than it has bytes:
// some callers keep hundreds of short ones.
int read_into(std::string& bytes, const fs::path& file, std::uint64_t most) {
  const FileDescriptor fd(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return errno;
  bytes.resize(first_room(fd));
  std::size_t have = 0;
  for (;;) {
    const ssize_t got = read(fd.get(), bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
    if (have > most) return EFBIG;
    if (have == bytes.size()) bytes.resize(2 * have);
  }
  bytes.resize(have);
  if (bytes.capacity() > have + have / 4) bytes.shrink_to_fit();
  return 0;
}

}  // namespace

std::string read_bytes(const fs::path& file, std::uint64_t most) {
  std::string bytes;
  if (const int error = read_into(bytes, file, most))
    throw std::system_error(error, std::generic_category(), "read " + file.string());
  return bytes;
}

std::optional<std::string> read_file(const fs::path& file, std::uint64_t most) {
  std::string bytes;
  if (read_into(bytes, file, most) != 0) return {};
  return bytes;
}

std::string read_regular_file(const fs::path& file, std::uint64_t most_bytes) {
  // Without O_NONBLOCK, opening a FIFO of that name would wait for a writer.
  const FileDescriptor fd(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (!fd || fstat(fd.get(), &status) != 0) throw_errno("open " + file.string());
  if (!S_ISREG(status.st_mode))
    throw std::system_error(EINVAL, std::generic_category(), "read " + file.string());
  if (static_cast<std::uint64_t>(status.st_size) > most_bytes)
    throw std::system_error(EFBIG, std::generic_category(), "read " + file.string());
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = read(fd.get(), bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno("read " + file.string());
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

void put_in_place(const fs::path& part, const fs::path& file) {
  const FileDescriptor content(
      checked(open(part.c_str(), O_RDONLY | O_CLOEXEC), "open " + part.string()));
  sync(content, part.string());
  checked(std::rename(part.c_str(), file.c_str()), "rename " + part.string());
  sync_folder(file.has_parent_path() ? file.parent_path() : fs::path("."));
}

void sync_folder(const fs::path& folder) {
  const FileDescriptor fd(checked(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                                  "open folder " + folder.string()));
  sync(fd, "folder " + folder.string());
}

std::string temporary_name(std::string_view name) { return "." + std::string(name) + ".tmp"; }

PendingFile::PendingFile(const fs::path& folder, std::string_view name)
    : temporary_(folder / temporary_name(name)),
      file_(folder / name),
      fd_(open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
  if (!fd_) throw_errno("create " + temporary_.string());
}

PendingFile::~PendingFile() {
  if (!published_) unlink(temporary_.c_str());
}

void PendingFile::write(std::string_view bytes) {
  const std::int64_t begin = size_;
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno("write " + temporary_.string());
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_ += written;
  }
  // Only makes sync() shorter, so a filesystem that cannot do it is as good.
  sync_file_range(fd_.get(), begin, size_ - begin, SYNC_FILE_RANGE_WRITE);
}

void PendingFile::sync() { base::sync(fd_, temporary_.string()); }

void PendingFile::publish() {
  if (rename(temporary_.c_str(), file_.c_str()) != 0) throw_errno("rename " + temporary_.string());
  published_ = true;
}

}  // namespace base
