// A short program run for its output.
#pragma once

#include <string>
#include <vector>

namespace spotrun {

struct ProcessOutput {
  int status = 0;    // exit status; 128 + N when signal N killed it
  std::string text;  // its standard output, without the newlines at its end
};

// Standard error goes where this program's goes. Throws MachineError when it cannot be started.
ProcessOutput capture(const std::vector<std::string>& argv);

}  // namespace spotrun
