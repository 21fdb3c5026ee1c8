#include "trainer/checkpoint/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace spottrain {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what, const fs::path& path, int error = errno) {
  throw std::system_error(error, std::generic_category(), std::string(what) + " " + path.string());
}

}  // namespace

std::string temporary_name(std::string_view name) { return "." + std::string(name) + ".tmp"; }

PendingFile::PendingFile(const fs::path& folder, std::string_view name)
    : temporary_(folder / temporary_name(name)),
      file_(folder / name),
      fd_(open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
  if (!fd_) fail("create", temporary_);
}

PendingFile::~PendingFile() {
  if (!published_) unlink(temporary_.c_str());
}

void PendingFile::write(std::string_view bytes) {
  const std::int64_t begin = size_;
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", temporary_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_ += written;
  }
  // Only makes sync() shorter, so a filesystem that cannot do it is as good.
  sync_file_range(fd_.get(), begin, size_ - begin, SYNC_FILE_RANGE_WRITE);
}

void PendingFile::sync() {
  if (fsync(fd_.get()) != 0) fail("fsync", temporary_);
}

void PendingFile::publish() {
  if (rename(temporary_.c_str(), file_.c_str()) != 0) fail("rename", temporary_);
  published_ = true;
}

std::string read_whole_file(const fs::path& file, std::uint64_t most_bytes) {
  // Without O_NONBLOCK, opening a FIFO of that name would wait for a writer.
  const Descriptor fd(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (!fd || fstat(fd.get(), &status) != 0) fail("open", file);
  if (!S_ISREG(status.st_mode)) fail("read", file, EINVAL);
  if (static_cast<std::uint64_t>(status.st_size) > most_bytes) fail("read", file, EFBIG);
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = read(fd.get(), bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", file);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

void sync_folder(const fs::path& folder) {
  const Descriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || fsync(fd.get()) != 0) fail("fsync folder", folder);
}

}  // namespace spottrain
