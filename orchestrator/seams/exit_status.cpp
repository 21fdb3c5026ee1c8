#include <fmt/format.h>

#include "orchestrator/seams/machine.h"

namespace spotrun {

std::string describe(const ExitStatus& status) {
  if (status.signal != 0) return fmt::format("killed by signal {}", status.signal);
  return fmt::format("exit status {}", status.code);
}

}  // namespace spotrun
