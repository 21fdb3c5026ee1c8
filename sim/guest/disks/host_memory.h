// What this machine's kernel counts of its memory.
#pragma once

#include <string>

namespace sim::guest {

// By its name in /proc/vmstat; 0 where the kernel has no such number.
long host_memory(const std::string& name);

}  // namespace sim::guest
