// Statistics of this machine's memory, from the kernel.
#pragma once

#include <string>

namespace sim::guest {

// The value of this name in /proc/vmstat; 0 if the kernel does not have it.
long host_memory(const std::string& name);

}  // namespace sim::guest
