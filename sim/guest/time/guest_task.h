// A guest's task seen from the supervisor: its memory, its descriptors, its signals. Tasks are
// named by their tid in the supervisor's pid namespace.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Copies between the task's memory and ours. False if a part is not mapped for the access (the
// call's EFAULT) or the task is gone.
bool read_memory(pid_t tid, std::uint64_t address, void* to, std::size_t bytes);
bool write_memory(pid_t tid, std::uint64_t address, const void* from, std::size_t bytes);
// A path as the kernel would read it; empty when it is not mapped or longer than PATH_MAX.
std::optional<std::string> read_path(pid_t tid, std::uint64_t address);

// The process that a task belongs to.
pid_t process_of(pid_t tid);
// The task of a process that has this tid in the process's own pid namespace; empty when there is
// none.
std::optional<pid_t> task_in_namespace(pid_t process, pid_t inner_tid);

// The number of a task's process in its own pid namespace; 0 when it is gone.
pid_t number_in_namespace(pid_t tid);
// The beginning of the command line of a task's process; empty when it is gone.
std::string command_of(pid_t tid);

base::FileDescriptor open_process(pid_t process);  // a pidfd; empty with errno
// A duplicate of the process's descriptor; empty with errno (EBADF: no such descriptor).
base::FileDescriptor duplicate(int pidfd, int descriptor);

// The pending signals of a task that would be delivered if `mask` were its signal mask: they have a
// handler or end the process. Bit n−1 is signal n.
std::uint64_t deliverable_signals(pid_t tid, std::uint64_t mask);
// The signals that are pending for a task or its process.
std::uint64_t pending_signals(pid_t tid);

}  // namespace sim::guest
