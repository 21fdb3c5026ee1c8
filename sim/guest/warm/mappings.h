// The mappings of a process, as /proc/PID/maps shows them.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sim::guest::warm {

struct Mapping {
  std::uint64_t from = 0, to = 0;
  std::string permissions, name;

  bool shared_to_write() const { return permissions[1] == 'w' && permissions[3] == 's'; }
  int protection() const {
    return (permissions[0] == 'r' ? PROT_READ : 0) | (permissions[1] == 'w' ? PROT_WRITE : 0) |
           (permissions[2] == 'x' ? PROT_EXEC : 0);
  }
  // The kernel makes it, or the simulator, in each process.
  bool belongs_to_kernel() const;
};

// `proc`: the process's folder in /proc.
std::vector<Mapping> mappings_of(const std::string& proc);

}  // namespace sim::guest::warm
