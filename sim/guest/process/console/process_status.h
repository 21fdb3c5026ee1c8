// The kernel's report on a process.
#pragma once

#include <sys/types.h>

#include <string>

namespace sim::guest {

// Reads a line of /proc/PID/status: "VmSize:         123 kB" gives "123". If the line has several
// values, the last one.
std::string status_of(pid_t pid, const std::string& field);

}  // namespace sim::guest
