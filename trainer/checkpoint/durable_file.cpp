#include "trainer/checkpoint/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "trainer/checkpoint/descriptor.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* what, const fs::path& path, int error = errno) {
  throw std::system_error(error, std::generic_category(), std::string(what) + " " + path.string());
}

void write_all(int fd, const fs::path& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", file);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_and_sync(const fs::path& file, std::string_view bytes) {
  const Descriptor fd(open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd) fail("create", file);
  write_all(fd.get(), file, bytes);
  if (fsync(fd.get()) != 0) fail("fsync", file);
}

}  // namespace

std::string temporary_name(std::string_view name) { return "." + std::string(name) + ".tmp"; }

void write_durably(const fs::path& folder, std::string_view name, std::string_view bytes) {
  const fs::path temporary = folder / temporary_name(name), file = folder / name;
  try {
    write_and_sync(temporary, bytes);
    if (rename(temporary.c_str(), file.c_str()) != 0) fail("rename", temporary);
  } catch (...) {
    unlink(temporary.c_str());
    throw;
  }
  sync_folder(folder);
}

std::string read_whole_file(const fs::path& file) {
  // Without O_NONBLOCK, opening a FIFO of that name would wait for a writer.
  const Descriptor fd(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (!fd || fstat(fd.get(), &status) != 0) fail("open", file);
  if (!S_ISREG(status.st_mode)) fail("read", file, EINVAL);
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
