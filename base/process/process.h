// Starting a program and waiting for its end.
#pragma once

#include <sys/types.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace base {

struct Launch {
  std::vector<std::string> argv;  // argv[0] is looked up on PATH unless it has a slash
  std::string folder = {};        // working directory; empty: the current one
  std::map<std::string, std::string> environment = {};  // added to this program's own
  int input = -1, output = -1, errors = -1;             // descriptors; -1: this program's own
};

// Starts the program in its own process group, with no signal blocked and SIGTERM, SIGINT and
// SIGPIPE at their defaults. Throws std::runtime_error with the reason, also for a missing folder
// or program.
pid_t start_process(const Launch& launch);

// Waits for the process's end, also if signals come during the wait. Returns a status as waitpid
// does.
int wait_for_end(pid_t child);
// The exit status as a shell gives it, or 128 + N when signal N killed the process.
int exit_status(int wait_status);

struct ProcessEnd {
  int status = 0;  // in the form of exit_status()
  std::string output, errors;
};
// Runs a program to its end with /dev/null as input. Returns its output and errors, as far as the
// launch does not redirect them. Throws like start_process().
ProcessEnd run_process(Launch launch);

}  // namespace base
