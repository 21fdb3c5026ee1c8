// The services of a guest: what systemd's first process does of it, in a process of its own.
#pragma once

#include "sim/guest/services/unit_folders.h"

namespace sim::guest::services {

// Where systemctl asks: a FIFO that takes a line "ANSWER COMMAND FLAG UNIT…", with the path of a
// FIFO for the answer: lines that begin with "o" (to standard output), "e" (to standard error), and
// "s" with the exit status, which is the last.
inline constexpr const char* kRequests = "/run/systemd/requests";

// Makes /dev/log and leaves a process behind that writes the system's log, and runs services and
// timers: first those that are enabled. Unit files among `hosts` are this machine's own and are not
// looked at. The process ends behind the services, when it gets SIGTERM. Call before anything is
// started, with the console as standard output. Throws std::system_error.
void start_manager(const Environment& environment, const UnitFiles& hosts);

}  // namespace sim::guest::services
