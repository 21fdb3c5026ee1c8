// Clock reads that libc makes without a system call, made visible: the vDSO's entry points become
// plain system calls, which the filter traps. Works for static programs too.
#pragma once

#include <sys/types.h>

namespace sim::guest {

// Patches the image of a stopped task through /proc/TID/mem. The kernel copies the page for that
// image; a fork inherits the copy, an exec needs a new patch. False when the task died or may not
// be written to.
bool patch_vdso(pid_t tid);

}  // namespace sim::guest
