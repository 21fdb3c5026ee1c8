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

class WarmPrograms {
 public:
  WarmPrograms(HostContext& context, const SandboxSpecs& specs, RandomServer& random)
      : context_(context), specs_(specs), random_(random) {}

  // A descriptor of the image by which the task, which has a starter's memory now, starts this
  // program; -1: it starts as usual.
  int image_for(const Machine& machine, pid_t task, const std::string& program);

 private:
  // What a task brings with it.
  struct Start {
    std::map<std::string, std::string> environment;
    std::vector<std::string> interpreter;  // and its argument
  };

  Start start_of(pid_t task, const std::string& program) const;
  std::string key_of(const Machine& machine, const Start& start, const std::string& program) const;
  base::FileDescriptor take(const Machine& machine, Start start, const std::string& program);

  HostContext& context_;
  const SandboxSpecs& specs_;
  RandomServer& random_;
};

}  // namespace sim::guest
