// spotsim. What it does is in command_line.cpp: here nothing takes long to compile.
#include <csignal>
#include <span>

#include "base/standard_output.h"
#include "sim/cli/command_line.h"

int main(int argc, char** argv) {
  // Where the caller ignores it, this program could not wait for the end of its children.
  std::signal(SIGCHLD, SIG_DFL);
  return base::with_standard_output("spotsim", [&] {
    return sim::cli::run_command_line(std::span(argv, argc), SPOTSIM_VERSION);
  });
}
