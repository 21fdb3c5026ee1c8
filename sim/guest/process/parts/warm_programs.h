// Starts aws-cli and curl fast: each call continues from a memory image (sim/guest/warm). The first
// call of a kind finds the image on this machine's disk, or makes it. Images are kept as long as
// this process runs, so later runs in it use them, too.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"
#include "sim/guest/process/parts/sandbox_specs.h"

namespace sim::guest {

// The part of ProcessHost that keeps the memory images and decides which image fits a start.
class WarmPrograms {
 public:
  WarmPrograms(HostContext& context, const SandboxSpecs& specs)
      : context_(context), specs_(specs) {}

  // A descriptor of the image for this program. The task, which has the memory of a starter now,
  // starts the program from it. -1: the program starts as usual.
  int image_for(const Machine& machine, pid_t task, const std::string& program);

 private:
  // The properties of the task that the image must have, too.
  struct Start {
    std::map<std::string, std::string> environment;
    std::vector<std::string> interpreter;  // with its argument; empty: none
    bool is_linked = false;                // a program with libraries (warm/entry_point.h)
    base::FileDescriptor opened;           // the program
  };

  Start start_of(pid_t task, const std::string& program) const;
  std::string key_of(const Machine& machine, const Start& start, const std::string& program) const;
  base::FileDescriptor take(const Machine& machine, Start start, const std::string& program);
  base::FileDescriptor take_at_entry(SandboxSpec spec, const Start& start,
                                     const std::string& program);
  // Looks for the image on this machine's disk first, and keeps a new one there.
  base::FileDescriptor found_or_taken(const Machine& machine, pid_t task, Start start,
                                      const std::string& program, const std::string& key);
  void say(const std::string& notice);  // each notice once

  HostContext& context_;
  const SandboxSpecs& specs_;
  std::set<std::string> said_;
};

}  // namespace sim::guest
