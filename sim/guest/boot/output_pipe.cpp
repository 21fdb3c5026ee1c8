#include "sim/guest/boot/output_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>

#include "base/process/process_name.h"
#include "base/process/system_call.h"

namespace sim::guest::boot {
namespace {

// Reads the pipe's content; false at its end, when no process can write to it any more.
bool copy(int from, int out) {
  std::array<char, 4096> part;
  ssize_t n = 0;
  while ((n = read(from, part.data(), part.size())) > 0)
    static_cast<void>(!write(out, part.data(), static_cast<std::size_t>(n)));
  return n < 0;
}

// A program that gets SIGTERM at a machine's end may still print something.
[[noreturn]] void copy_all(int from, int out, int turn) {
  base::name_process("tee");
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::signal(signal, SIG_IGN);
  setsid();
  for (bool more = true; more;) {
    pollfd ready{from, POLLIN, 0};
    if (poll(&ready, 1, -1) < 0) continue;
    static_cast<void>(!lockf(turn, F_LOCK, 0));
    more = copy(from, out);
    static_cast<void>(!lockf(turn, F_ULOCK, 0));
  }
  _exit(0);
}

}  // namespace

OutputPipe::OutputPipe()
    : out_(base::checked(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), "keeping the console")),
      turn_(base::checked(memfd_create("turn", MFD_CLOEXEC), "making a lock")) {
  std::array<int, 2> ends{};
  base::checked(pipe2(ends.data(), O_CLOEXEC), "making a pipe");
  from_ = base::FileDescriptor(ends[0]);
  base::FileDescriptor to(ends[1]);
  base::checked(fcntl(from_.get(), F_SETFL, O_NONBLOCK), "making a pipe");
  const pid_t child = base::checked(fork(), "copying the output");
  if (child == 0) {
    to = {};
    const int nothing = open("/dev/null", O_RDWR);
    for (int descriptor = 0; descriptor < 3; ++descriptor) dup2(nothing, descriptor);
    copy_all(from_.get(), out_.get(), turn_.get());
  }
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    base::checked(dup2(to.get(), descriptor), "writing to a pipe");
}

void OutputPipe::flush() const {
  static_cast<void>(!lockf(turn_.get(), F_LOCK, 0));
  copy(from_.get(), out_.get());
  static_cast<void>(!lockf(turn_.get(), F_ULOCK, 0));
}

}  // namespace sim::guest::boot
