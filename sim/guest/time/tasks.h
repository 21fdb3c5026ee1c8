// The tasks (threads) of a guest, and whether any of them can run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace sim::guest {

// One task as /proc shows it.
struct TaskState {
  pid_t tid = 0;
  char state = 0;                     // R, S, D, T, t, Z, X
  std::uint64_t runs = 0;             // how often it was put on a CPU
  std::uint64_t cpu_nanoseconds = 0;  // what it has computed so far
  bool operator==(const TaskState&) const = default;
};

// Neither on a CPU or waiting for one, nor in disk wait.
inline bool asleep(const TaskState& task) { return task.state != 'R' && task.state != 'D'; }

enum class Look {
  kEveryTask,
  // Trusts that a task which was asleep in the last look and has not been on a CPU since still is:
  // a third of the work. For when no task can run (lockstep.h).
  kTasksThatRan,
};

// Lists a guest's tasks from outside.
class TaskList {
 public:
  virtual ~TaskList() = default;
  // One look: appends every task, parents first; false when one is not asleep, or one came or went
  // while looking. Two equal looks in a row mean that no task ran in between. A guest that is dead
  // has no tasks.
  virtual bool look(Look how, std::vector<TaskState>& out) = 0;
};

// Every process that is `root` or descends from it, all threads (pids as in the caller's pid
// namespace). The root must be the init of a pid namespace or a subreaper, so that orphans stay
// below it. Keeps three descriptors a task.
std::unique_ptr<TaskList> descendants_of(pid_t root);

}  // namespace sim::guest
