#include "sim/guest/disks/host_memory.h"

#include <fstream>

namespace sim::guest {

long host_memory(const std::string& name) {
  std::ifstream in("/proc/vmstat");
  std::string word;
  for (long number = 0; in >> word >> number;)
    if (word == name) return number;
  return 0;
}

}  // namespace sim::guest
