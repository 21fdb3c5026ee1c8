// The files of a machine that a reboot removes, and the time that a reboot takes.
#pragma once

#include "sim/kernel/time.h"

namespace sim::guest::boot {

// For a machine of its own: empties /run, /tmp and /dev/shm, as systemd does on Ubuntu's images.
void forget_the_last_boot();

// Until the operating system is up; virtual.
void wait_for_boot(Duration takes);

// Records the instant of the boot for who(1) and last(1).
void record_boot(Time at);

}  // namespace sim::guest::boot
