#include "base/process/standard_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>

namespace base {
namespace {

constexpr int kCannotWrite = 2;

// open(2) returns the lowest free number. The access mode is such that the wrong use fails.
void open_closed_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

bool lost_output() { return std::ferror(stdout) != 0 || !std::cout; }

}  // namespace

int with_standard_output(const char* program, const std::function<int()>& body) {
  open_closed_descriptors();
  int exit_code = 0, why = 0;
  bool lost = false;
  try {
    exit_code = body();
  } catch (const std::system_error& error) {  // from fmt::print
    if (!lost_output() && std::ferror(stderr) == 0) throw;
    why = error.code().value();
    lost = true;
  }
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) != 0) why = errno;
  if (!lost && !lost_output()) return exit_code;
  std::fprintf(stderr, "%s: cannot write standard output or error: %s\n", program,
               why == 0 ? "some of it is lost" : std::generic_category().message(why).c_str());
  return kCannotWrite;
}

}  // namespace base
