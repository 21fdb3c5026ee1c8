// The services of a guest: the parts of systemd's first process that are needed, in a process of
// its own.
#pragma once

#include "sim/guest/services/unit_folders.h"

namespace sim::guest::services {

// The FIFO for systemctl's requests. A request is a line "ANSWER COMMAND FLAG UNIT…" with the path
// of a FIFO for the answer. An answer's lines begin with "o" (to standard output), "e" (to standard
// error) or, in the last line, "s" with the exit status.
inline constexpr const char* kRequests = "/run/systemd/requests";

// Makes /dev/log and starts a process that writes the system's log and runs services and timers,
// the enabled ones first. Unit files among `hosts` are this machine's own and are ignored. The
// process ends after the services, when it gets SIGTERM. Call before anything is started, with the
// console as standard output. Throws std::system_error.
void start_manager(const Environment& environment, const UnitFiles& hosts);

}  // namespace sim::guest::services
