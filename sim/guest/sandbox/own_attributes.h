// The attributes that a process inherits from its parent, beside environment and descriptors.
#pragma once

namespace sim::guest {

// Called in a guest's init before it gives up the host's rights. It sets the attributes of a
// machine that has just booted, for the init and all its children, independently of the shell or
// service that started the simulator: umask, signal dispositions, limits, priority, groups, OOM
// score, timer slack, cgroup namespace.
void forget_the_caller();

}  // namespace sim::guest
