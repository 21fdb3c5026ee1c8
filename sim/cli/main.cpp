// spotsim's main(). The program is in command_line.cpp; this file compiles fast.
#include <csignal>
#include <span>

#include "base/process/standard_output.h"
#include "sim/cli/command_line.h"

int main(int argc, char** argv) {
  // If the caller ignores SIGCHLD, this program could not wait for its children.
  std::signal(SIGCHLD, SIG_DFL);
  return base::with_standard_output("spotsim", [&] {
    return sim::cli::run_command_line(std::span(argv, argc), SPOTSIM_VERSION);
  });
}
