#include "trainer/loop/progress.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/file_descriptor.h"

namespace spottrain {

ProgressLines::ProgressLines(const std::string& path) : path_(path) {
  if (path.empty()) return;
  // O_NONBLOCK for the opening only: a FIFO without a reader must not hold up the training.
  fd_ = base::FileDescriptor(
      open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644));
  if (!fd_) {
    if (errno != ENXIO)
      std::fprintf(stderr, "no progress lines: %s: %s\n", path.c_str(), strerror(errno));
    return;
  }
  fcntl(fd_.get(), F_SETFL, fcntl(fd_.get(), F_GETFL) & ~O_NONBLOCK);
}

void ProgressLines::write(std::string_view event, const Json& fields) {
  if (!fd_) return;
  Json line{{"source", "trainer"}, {"event", event}};
  line.update(fields);
  const std::string text = line.dump() + "\n";
  ssize_t written;
  do {
    written = ::write(fd_.get(), text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(text.size())) return;
  const bool no_reader = written < 0 && errno == EPIPE;
  std::fprintf(stderr, "progress line not written to %s: %s: %s", path_.c_str(),
               written < 0 ? strerror(errno) : "cut off", text.c_str());
  if (no_reader) fd_ = base::FileDescriptor();
}

}  // namespace spottrain
