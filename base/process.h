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

// Starts it in a process group of its own, with no signal blocked and SIGTERM, SIGINT and SIGPIPE
// at their defaults. Throws std::runtime_error with the reason, a folder or a program that is not
// there included.
pid_t start_process(const Launch& launch);

// Waits for the process's end, also if signals come during the wait. Returns a status as waitpid
// does.
int wait_for_end(pid_t child);
// As a shell has it: the exit status, or 128 + N when signal N killed it.
int exit_status(int wait_status);

struct ProcessEnd {
  int status = 0;  // as exit_status has it
  std::string output, errors;
};
// Runs a program to its end with /dev/null as input and returns what it wrote to those of its
// output and errors that the launch leaves open. Throws as start_process does.
ProcessEnd run_process(Launch launch);

}  // namespace base
