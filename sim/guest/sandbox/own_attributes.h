// The attributes that a process inherits from its parent, except environment and descriptors.
#pragma once

namespace sim::guest {

// Called in a guest's init before it gives up the host's rights. It gives the init and all its
// children the attributes of processes on a machine that has just booted: umask, signal
// dispositions, limits, priority, groups, OOM score, timer slack, cgroup namespace. So they do not
// depend on the shell or service that started the simulator.
void forget_the_caller();

}  // namespace sim::guest
