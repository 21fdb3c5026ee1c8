#include "orchestrator/production/process_output.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "orchestrator/production/spawn.h"
#include "orchestrator/seams/machine.h"

namespace spotrun {

ProcessOutput capture(const std::vector<std::string>& argv) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw MachineError("pipe2 failed");
  pid_t pid = -1;
  try {
    pid = spawn({.argv = argv}, ends[1]);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  ProcessOutput output;
  char buffer[4096];
  ssize_t got;
  while ((got = read(ends[0], buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0) output.text.append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  while (output.text.ends_with('\n')) output.text.pop_back();
  return output;
}

}  // namespace spotrun
