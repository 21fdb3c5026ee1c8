// The last step into a sandbox: out of the powers over the host.
#pragma once

namespace sim::guest {

// In a guest's init, before anything else: what it starts finds its processes' start times counted
// from here on, as the uptime is. Does nothing where the kernel has no time namespaces.
void begin_own_uptime();

// In a guest's init, process 1 of its namespace, whose root is in place: moves it into user, mount,
// network, UTS and IPC namespaces of its own. The users keep their numbers, but root is root there
// only: the kernel refuses it whatever concerns the whole machine, and no mount that was made
// before can be undone or given more rights. /run, /tmp and /dev/shm are new, the guest's own.
// Throws std::system_error.
void leave_the_host();

}  // namespace sim::guest
