// The guest's clocks, for its processes that are forked from the simulator and not started as
// programs.
#pragma once

namespace sim::guest::services {

// Nanoseconds since 1970, and since the boot. These functions call the kernel, and so the time
// supervisor: libc would read the real clocks in a process whose image is the simulator's. A signal
// does not make them fail.
long long now();
long long uptime();

}  // namespace sim::guest::services
