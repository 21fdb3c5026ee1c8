// The last step into a sandbox: gives up all rights over the host.
#pragma once

namespace sim::guest {

// Called first in a guest's init. From then on, start times of its processes count from this
// moment, as its uptime does. Has no effect without time namespaces.
void begin_own_uptime();

// Called in a guest's init (process 1 of its namespace) after its root was built: moves it into
// user, mount, network, UTS and IPC namespaces of its own. Users keep their numbers, but root has
// rights only there. The kernel refuses actions that concern the whole machine, and earlier mounts
// cannot be undone or given more rights. /run, /tmp and /dev/shm are new. Throws std::system_error.
void leave_the_host();

}  // namespace sim::guest
