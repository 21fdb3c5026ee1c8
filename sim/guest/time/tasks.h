// The tasks (threads) of a guest, and whether any of them can run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace sim::guest {

class RanTasks;

// The state of one task in /proc.
struct TaskState {
  pid_t tid = 0;
  char state = 0;                     // R, S, D, T, t, Z, X
  std::uint64_t runs = 0;             // how often it was put on a CPU
  std::uint64_t cpu_nanoseconds = 0;  // CPU time so far
  bool operator==(const TaskState&) const = default;
};

// Neither on a CPU, nor waiting for a CPU, nor in disk wait.
inline bool asleep(const TaskState& task) { return task.state != 'R' && task.state != 'D'; }

// A task sets its state to "sleeping" before it checks whether it must sleep. If it loses its CPU
// in between, it seems to sleep until it has a CPU again: milliseconds on a busy machine. Only
// /proc/TID/wchan shows this: it is 0 for a task that waits for a CPU, but also where the kernel
// may not or cannot give a value. `stat` is the line of a task in state S, from the state on;
// `kernel_tells`: some task's wchan had another value.
bool waits_for_a_cpu(std::string_view stat, std::string_view wchan, bool kernel_tells);

enum class Look {
  kEveryTask,
  // Assumes that a task that was asleep in the last look and has not been on a CPU is still asleep:
  // a third of the work. For looks when no task can run (lockstep.h).
  kTasksThatRan,
  // Continues after a task that is not asleep.
  kToTheEnd,
};

// Lists a guest's tasks from outside.
class TaskList {
 public:
  virtual ~TaskList() = default;
  // One look: appends every task, parents first. False if a task is not asleep, or if one began or
  // ended during the look. Two equal looks in a row mean that no task ran in between. A dead guest
  // has no tasks.
  virtual bool look(Look how, std::vector<TaskState>& out) = 0;
  // From here on looks of kTasksThatRan read only the tasks in these records. The records outlive
  // the list.
  virtual void follow(RanTasks& records) = 0;
  // What looks have found since the last call.
  struct Findings {
    std::vector<pid_t> ran;   // tasks that have been on a CPU, or have ended
    std::uint64_t reads = 0;  // of files in /proc
  };
  virtual Findings take_findings() = 0;
  // Makes looks show the task as asleep from here on, or with its real state again.
  virtual void count_as_asleep(pid_t tid, bool yes) = 0;
};

// Every process that is `root` or descends from it, with all threads (pids of the caller's pid
// namespace). The root must be the init of a pid namespace or a subreaper, so that orphans stay
// below it. Keeps up to four files of /proc open for each task.
std::unique_ptr<TaskList> descendants_of(pid_t root);

}  // namespace sim::guest
