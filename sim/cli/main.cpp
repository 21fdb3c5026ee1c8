// spotsim. What it does is in command_line.cpp: here nothing takes long to compile.
#include <span>

#include "base/standard_output.h"
#include "sim/cli/command_line.h"

int main(int argc, char** argv) {
  return base::with_standard_output("spotsim", [&] {
    return sim::cli::run_command_line(std::span(argv, argc), SPOTSIM_VERSION);
  });
}
