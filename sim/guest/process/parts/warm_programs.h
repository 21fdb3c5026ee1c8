// Starts aws-cli fast. The first call of a kind starts as usual. The second call makes a memory
// image, from which each later call continues (sim/guest/warm). Images are kept as long as this
// process runs, so later runs in it use them, too.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"
#include "sim/guest/process/parts/sandbox_specs.h"

namespace sim::guest {

// The part of ProcessHost that keeps the memory images and decides which image fits a start.
class WarmPrograms {
 public:
  WarmPrograms(HostContext& context, const SandboxSpecs& specs, RandomServer& random)
      : context_(context), specs_(specs), random_(random) {}

  // A descriptor of the image for this program. The task, which has the memory of a starter now,
  // starts the program from it. -1: the program starts as usual.
  int image_for(const Machine& machine, pid_t task, const std::string& program);

 private:
  // The properties of the task that the image must have, too.
  struct Start {
    std::map<std::string, std::string> environment;
    std::vector<std::string> interpreter;  // with its argument
  };

  Start start_of(pid_t task, const std::string& program) const;
  std::string key_of(const Machine& machine, const Start& start, const std::string& program) const;
  base::FileDescriptor take(const Machine& machine, Start start, const std::string& program);

  HostContext& context_;
  const SandboxSpecs& specs_;
  RandomServer& random_;
};

}  // namespace sim::guest
