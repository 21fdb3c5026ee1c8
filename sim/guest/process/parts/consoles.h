// The consoles of machines, and the part of their output that a run keeps.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "sim/guest/process/console/console_file.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"

namespace sim::guest {

// The part of ProcessHost that owns the console files. Each machine writes to a file of its own,
// and copy() moves new text to the file in the run's output folder, up to a limit.
class Consoles {
 public:
  explicit Consoles(HostContext& context) : context_(context) {}

  // The file behind a machine's console, made at the first call.
  ConsoleFile& of(const std::string& machine);
  // Copies what the machine has written since the last call to the file that the run keeps.
  void copy(const Machine&);
  // The last bytes of a machine's console, at most this many.
  std::string tail(const std::string& machine, std::size_t most) const;
  // The machine has ended. The kept file stays.
  void close(const std::string& machine) { files_.erase(machine); }

 private:
  std::filesystem::path kept(const std::string& machine) const;

  HostContext& context_;
  std::map<std::string, ConsoleFile> files_;  // by machine
};

}  // namespace sim::guest
