// The attributes that a process inherits from its parent, beside environment and descriptors.
#pragma once

namespace sim::guest {

// In a guest's init, before it gives up the host's rights: it and all that it starts get the
// attributes of a machine that has just booted, whatever shell, session or service started the
// simulator: umask, signal dispositions, limits, priority, groups, OOM score, timer slack, cgroup
// namespace. What the kernel refuses stays as it was inherited.
void forget_the_caller();

}  // namespace sim::guest
