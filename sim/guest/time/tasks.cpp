#include "sim/guest/time/tasks.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "base/file_descriptor.h"

namespace sim::guest {
namespace {

// The n-th of the blank-separated words of a text, from 0; empty when there are fewer.
std::string_view word(std::string_view text, int n) {
  std::size_t from = 0;
  for (; n > 0; --n) {
    const auto blank = text.find(' ', from);
    if (blank == std::string_view::npos) return {};
    from = blank + 1;
  }
  return text.substr(from, text.find_first_of(" \n", from) - from);
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

std::string_view read_start(const base::FileDescriptor& file, std::span<char> buffer) {
  const ssize_t n = pread(file.get(), buffer.data(), buffer.size(), 0);
  return {buffer.data(), n > 0 ? static_cast<std::size_t>(n) : 0};
}

// One thread, with its files in /proc kept open: reading them again costs half of opening them.
struct Task {
  base::FileDescriptor stat, schedstat, children, wchan;
  TaskState seen;            // in the last look; before the first one no state
  std::size_t siblings = 0;  // the threads of its process, itself among them, as it told then
};

bool seems_to_sleep_only(const Task& task, std::string_view stat) {
  static bool kernel_tells = false;
  char buffer[64];
  const std::string_view wchan = read_start(task.wchan, buffer);
  if (!wchan.empty() && wchan != "0") kernel_tells = true;
  return waits_for_a_cpu(stat, wchan, kernel_tells);
}

// Reads what has changed; false when the task is gone.
bool look_at_task(Task& task, Look how) {
  char buffer[1024];
  // "nanoseconds on a CPU, nanoseconds waiting for one, times put on one"
  const std::string_view schedstat = read_start(task.schedstat, buffer);
  const auto computed = number<std::uint64_t>(word(schedstat, 0));
  const auto runs = number<std::uint64_t>(word(schedstat, 2));
  if (!computed || !runs) return false;
  TaskState& seen = task.seen;
  const bool ran = seen.runs != *runs || seen.cpu_nanoseconds != *computed;
  if (how == Look::kTasksThatRan && !ran && seen.state != 0 && asleep(seen)) return true;
  // "TID (name) S …": the name may hold anything, so the words are counted from its end.
  std::string_view stat = read_start(task.stat, buffer);
  const auto name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return false;
  stat.remove_prefix(name_end + 2);
  seen.state = stat.empty() ? 'X' : stat.front();
  if (how == Look::kEveryTask && seen.state == 'S' && seems_to_sleep_only(task, stat))
    seen.state = 'R';
  seen.runs = *runs;
  seen.cpu_nanoseconds = *computed;
  task.siblings =
      number<std::size_t>(word(stat, 17)).value_or(0);  // proc(5): field 20; a zombie: 0
  return true;
}

struct Process {
  std::vector<Task> tasks;  // in the order of /proc
  bool seen = false;        // in the current look

  // False when a task of it came or went.
  bool look(Look how) {
    for (Task& task : tasks)
      if (!look_at_task(task, how) || (task.siblings != 0 && task.siblings != tasks.size()))
        return false;
    return !tasks.empty();
  }
};

class Descendants : public TaskList {
 public:
  explicit Descendants(pid_t root) : root_(root) {}

  bool look(Look how, std::vector<TaskState>& out) override {
    for (auto& [pid, process] : processes_) process.seen = false;
    if (!look_at_process(root_, how, out)) return false;  // the rest was not looked at
    std::erase_if(processes_, [](const auto& entry) { return !entry.second.seen; });
    return true;
  }

  void count_as_asleep(pid_t tid, bool yes) override {
    yes ? void(counted_asleep_.insert(tid)) : void(counted_asleep_.erase(tid));
  }

 private:
  // Appends the states of a process and of all below it.
  bool look_at_process(pid_t pid, Look how, std::vector<TaskState>& out) {
    Process& process = processes_[pid];
    process.seen = true;
    if (!process.look(how)) {
      if (!list_tasks(pid, process)) return pid == root_;  // a root that is gone is a dead guest
      if (!process.look(how)) return false;
    }
    bool still = true;
    for (const Task& task : process.tasks) {
      const bool counts = counted_asleep_.contains(task.seen.tid);
      out.push_back(counts ? TaskState{.tid = task.seen.tid, .state = 'S'} : task.seen);
      still = still && asleep(out.back());
    }
    if (!still && how != Look::kToTheEnd) return false;
    // Read each time: a child may come from below (an orphan) or beside (CLONE_PARENT).
    for (std::size_t i = 0; i < process.tasks.size(); ++i)
      if (!look_at_children(process.tasks[i], how, out)) return false;
    return still;
  }

  bool list_tasks(pid_t pid, Process& process) {
    process.tasks.clear();
    const std::string folder = "/proc/" + std::to_string(pid) + "/task";
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), closedir);
    if (!listing) return false;
    while (const dirent* entry = readdir(listing.get())) {
      if (entry->d_name[0] == '.') continue;
      const std::string task = folder + "/" + entry->d_name;
      base::FileDescriptor stat(open((task + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
      base::FileDescriptor schedstat(open((task + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC));
      base::FileDescriptor children(open((task + "/children").c_str(), O_RDONLY | O_CLOEXEC));
      base::FileDescriptor wchan(open((task + "/wchan").c_str(), O_RDONLY | O_CLOEXEC));
      if (!stat || !schedstat || !children) {
        if (errno == EMFILE || errno == ENFILE)
          throw std::system_error(errno, std::generic_category(), "watching the tasks of a guest");
        continue;  // it ended meanwhile; the count tells
      }
      process.tasks.push_back({std::move(stat),
                               std::move(schedstat),
                               std::move(children),
                               std::move(wchan),
                               {.tid = std::atoi(entry->d_name)}});
    }
    return !process.tasks.empty();
  }

  bool look_at_children(const Task& task, Look how, std::vector<TaskState>& out) {
    std::string text;
    char part[1024];
    ssize_t n;
    do {  // the kernel fills what it is given while there is more
      n = pread(task.children.get(), part, sizeof part, static_cast<off_t>(text.size()));
      if (n > 0) text.append(part, static_cast<std::size_t>(n));
    } while (n == sizeof part);
    if (n < 0) return false;
    for (const char *at = text.data(), *end = at + text.size(); at < end;) {
      pid_t child = 0;
      const auto [next, error] = std::from_chars(at, end, child);
      if (error != std::errc{}) break;
      if (!look_at_process(child, how, out) && how != Look::kToTheEnd) return false;
      at = next + 1;  // one blank
    }
    return true;
  }

  pid_t root_;
  std::map<pid_t, Process> processes_;
  std::set<pid_t> counted_asleep_;
};

}  // namespace

bool waits_for_a_cpu(std::string_view stat, std::string_view wchan, bool kernel_tells) {
  // proc(5): field 26, the stack's beginning; 1 where we may not look at the task.
  const bool permitted = number<std::uint64_t>(word(stat, 23)).value_or(0) > 1;
  return wchan == "0" && permitted && kernel_tells;
}

std::unique_ptr<TaskList> descendants_of(pid_t root) { return std::make_unique<Descendants>(root); }

}  // namespace sim::guest
