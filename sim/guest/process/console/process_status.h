// The kernel's report on a process.
#pragma once

#include <sys/types.h>

#include <string>

namespace sim::guest {

// A line of /proc/PID/status: "VmSize:	   123 kB" → "123"; of several values the last.
std::string status_of(pid_t pid, const std::string& field);

}  // namespace sim::guest
