#include "sim/guest/time/tasks.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/guest/time/ran_tasks.h"

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

// Reads files of /proc from their beginning, and counts.
struct Reader {
  std::uint64_t reads = 0;

  std::string_view start(const base::FileDescriptor& file, std::span<char> buffer) {
    ++reads;
    const ssize_t n = pread(file.get(), buffer.data(), buffer.size(), 0);
    return {buffer.data(), n > 0 ? static_cast<std::size_t>(n) : 0};
  }
  // Empty when the task is gone.
  std::optional<std::string> all(const base::FileDescriptor& file) {
    std::string text;
    char part[4096];
    ssize_t n;
    do {  // the kernel fills the buffer while it has more
      ++reads;
      n = pread(file.get(), part, sizeof part, static_cast<off_t>(text.size()));
      if (n > 0) text.append(part, static_cast<std::size_t>(n));
    } while (n == sizeof part);
    return n < 0 ? std::nullopt : std::optional(text);
  }
};

// One thread. Its files in /proc stay open: reading them again costs half of opening them.
struct Task {
  base::FileDescriptor stat, schedstat, children;
  base::FileDescriptor wchan;  // opened when it is first read
  TaskState seen;              // in the last look; no state before the first look
  // It slept and has not been on a CPU since, so it cannot be on its way to sleep: wchan need not
  // be read again.
  bool surely_asleep = false;
  std::size_t siblings = 0;      // number of threads of its process, including itself, at that time
  std::vector<pid_t> offspring;  // its children, when they were last read
  std::unique_ptr<RanTasks::Entry> recorded;

  // Whether the task's files may have changed.
  bool ran() const { return !recorded || recorded->mark().ran; }
  bool forked() const { return !recorded || recorded->mark().forked; }
};

bool is_zombie(const Task& task) { return task.seen.state == 'Z' || task.seen.state == 'X'; }

struct Process {
  std::vector<Task> tasks;  // in the order of /proc
  pid_t parent = 0;
  bool seen = false;    // in the current look
  bool stirred = true;  // its tasks may have new children since the last read
};

class Descendants : public TaskList {
 public:
  explicit Descendants(pid_t root) : root_(root) {}

  bool look(Look how, std::vector<TaskState>& out) override {
    if (how == Look::kEveryTask && is_awake_still()) return false;
    const std::size_t before = out.size();
    stir();
    for (;;) {
      for (auto& [pid, process] : processes_) process.seen = false;
      again_ = false;
      const bool still = look_at_process(root_, 0, how, out);
      if (again_) {
        out.resize(before);
        continue;
      }
      if (!still) return false;  // the rest was not looked at
      std::erase_if(processes_, [this](const auto& entry) {
        if (!entry.second.seen) forget(entry.second);
        return !entry.second.seen;
      });
      for (auto& [pid, process] : processes_) process.stirred = false;
      return true;
    }
  }

  void follow(RanTasks& records) override {
    if (records.recorded()) records_ = &records;
  }

  Findings take_findings() override {
    return {std::exchange(ran_, {}), std::exchange(reader_.reads, 0)};
  }

  void count_as_asleep(pid_t tid, bool yes) override {
    yes ? void(counted_asleep_.insert(tid)) : void(counted_asleep_.erase(tid));
  }

 private:
  // Marks the processes that may have other children now: a process that made a task, a process
  // whose child has ended and can be waited for, and all their ancestors. An ancestor gets the
  // orphans of tasks that came and went since the last look. A parent may get a task that its child
  // made (CLONE_PARENT).
  void stir() {
    if (records_ == nullptr) return;
    for (auto& [pid, process] : processes_)
      for (Task& task : process.tasks) {
        if (task.forked() || is_zombie(task)) stir_from(pid);
        task.recorded->mark().forked = false;
      }
  }

  void stir_from(pid_t pid) {
    for (auto at = processes_.find(pid); at != processes_.end();
         at = processes_.find(at->second.parent))
      at->second.stirred = true;
  }

  // The orphans of a process that has ended go to an ancestor, which this look has already passed.
  void ended(const Process& process) {
    if (records_ == nullptr) return;
    stir_from(process.parent);
    again_ = true;
  }

  void forget(const Process& process) {
    for (const Task& task : process.tasks) ran_.push_back(task.seen.tid);
  }

  // Whether the task that was awake in the last look still is: then the others need no look. Not
  // with records, which are of all tasks.
  bool is_awake_still() {
    const pid_t tid = std::exchange(awake_, 0);
    if (tid == 0 || records_ != nullptr || counted_asleep_.contains(tid)) return false;
    for (auto& [pid, process] : processes_)
      for (Task& task : process.tasks)
        if (task.seen.tid == tid && look_at_task(task, Look::kEveryTask) && !asleep(task.seen)) {
          awake_ = tid;
          return true;
        }
    return false;
  }

  // Appends the states of a process and of all below it.
  bool look_at_process(pid_t pid, pid_t parent, Look how, std::vector<TaskState>& out) {
    Process& process = processes_[pid];
    process.parent = parent;
    process.seen = true;
    if (!look_at_tasks(process, how)) {
      if (!list_tasks(pid, process)) {
        stir_from(parent);
        return pid == root_;  // without its root, a guest is dead
      }
      if (!look_at_tasks(process, how)) return false;
    }
    if (again_) return false;
    bool still = true;
    for (const Task& task : process.tasks) {
      const bool counts = counted_asleep_.contains(task.seen.tid);
      out.push_back(counts ? TaskState{.tid = task.seen.tid, .state = 'S'} : task.seen);
      if (asleep(out.back())) continue;
      still = false;
      awake_ = task.seen.tid;
    }
    if (!still && how != Look::kToTheEnd) return false;
    if (!trusts(how) || process.stirred)
      for (Task& task : process.tasks)
        if (!list_children(task)) return false;
    for (std::size_t i = 0; i < process.tasks.size(); ++i)
      for (const pid_t child : process.tasks[i].offspring)
        if (!look_at_process(child, pid, how, out) && (again_ || how != Look::kToTheEnd))
          return false;
    return still;
  }

  // Whether the records name every task that a look must read.
  bool trusts(Look how) const { return records_ != nullptr && how == Look::kTasksThatRan; }

  // False when a task of the process came or went.
  bool look_at_tasks(Process& process, Look how) {
    for (Task& task : process.tasks) {
      if (trusts(how) && !task.ran() && task.seen.state != 0 && asleep(task.seen)) continue;
      const bool was_zombie = is_zombie(task);
      if (!look_at_task(task, how) || (task.siblings != 0 && task.siblings != process.tasks.size()))
        return false;
      if (is_zombie(task) && !was_zombie) ended(process);
    }
    return !process.tasks.empty();
  }

  // Reads the changes of a task; false when the task is gone.
  bool look_at_task(Task& task, Look how) {
    char buffer[1024];
    // "nanoseconds on a CPU, nanoseconds waiting for one, times put on one"
    const std::string_view schedstat = reader_.start(task.schedstat, buffer);
    const auto computed = number<std::uint64_t>(word(schedstat, 0));
    const auto runs = number<std::uint64_t>(word(schedstat, 2));
    if (!computed || !runs) return false;
    TaskState& seen = task.seen;
    const bool ran = seen.runs != *runs || seen.cpu_nanoseconds != *computed;
    if (ran) ran_.push_back(seen.tid);
    const bool slept_on = !ran && seen.state != 0 && asleep(seen);
    if (how != Look::kTasksThatRan || !slept_on) {
      // "TID (name) S …": the name may contain any character, so the words are counted from its
      // end.
      std::string_view stat = reader_.start(task.stat, buffer);
      const auto name_end = stat.rfind(')');
      if (name_end == std::string_view::npos) return false;
      stat.remove_prefix(name_end + 2);
      seen.state = stat.empty() ? 'X' : stat.front();
      if (ran) task.surely_asleep = false;
      if (how == Look::kEveryTask && seen.state == 'S' && !task.surely_asleep) {
        task.surely_asleep = !seems_to_sleep_only(task, stat);
        if (!task.surely_asleep) seen.state = 'R';
      }
      seen.runs = *runs;
      seen.cpu_nanoseconds = *computed;
      task.siblings =
          number<std::size_t>(word(stat, 17)).value_or(0);  // proc(5): field 20; a zombie: 0
    }
    if (task.recorded) task.recorded->mark().ran = false;
    return true;
  }

  bool seems_to_sleep_only(Task& task, std::string_view stat) {
    static bool kernel_tells = false;
    char buffer[64];
    if (!task.wchan) {
      const std::string file = "/proc/" + std::to_string(task.seen.tid) + "/wchan";
      task.wchan = base::FileDescriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
    }
    const std::string_view wchan = reader_.start(task.wchan, buffer);
    if (!wchan.empty() && wchan != "0") kernel_tells = true;
    return waits_for_a_cpu(stat, wchan, kernel_tells);
  }

  // False when there is none: the process has ended.
  bool list_tasks(pid_t pid, Process& process) {
    forget(process);
    if (!process.tasks.empty()) ended(process);
    process.tasks.clear();
    process.stirred = true;
    const std::string folder = "/proc/" + std::to_string(pid) + "/task";
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), closedir);
    if (!listing) return false;
    while (const dirent* entry = readdir(listing.get())) {
      if (entry->d_name[0] == '.') continue;
      const std::string task = folder + "/" + entry->d_name;
      base::FileDescriptor stat(open((task + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
      base::FileDescriptor schedstat(open((task + "/schedstat").c_str(), O_RDONLY | O_CLOEXEC));
      base::FileDescriptor children(open((task + "/children").c_str(), O_RDONLY | O_CLOEXEC));
      if (!stat || !schedstat || !children) {
        if (errno == EMFILE || errno == ENFILE)
          throw std::system_error(errno, std::generic_category(),
                                  "watching the tasks of a guest takes four files each: raise "
                                  "`ulimit -Hn`");
        continue;  // the task ended in between; the count shows it
      }
      const pid_t tid = std::atoi(entry->d_name);
      process.tasks.push_back(
          {.stat = std::move(stat),
           .schedstat = std::move(schedstat),
           .children = std::move(children),
           .wchan = {},
           .seen = {.tid = tid},
           .recorded =
               records_ == nullptr ? nullptr : std::make_unique<RanTasks::Entry>(*records_, tid)});
    }
    return !process.tasks.empty();
  }

  // False when the task is gone.
  bool list_children(Task& task) {
    const auto text = reader_.all(task.children);
    if (!text) return false;
    task.offspring.clear();
    for (const char *at = text->data(), *end = at + text->size(); at < end;) {
      pid_t child = 0;
      const auto [next, error] = std::from_chars(at, end, child);
      if (error != std::errc{}) break;
      task.offspring.push_back(child);
      at = next + 1;  // one blank
    }
    return true;
  }

  pid_t root_;
  std::map<pid_t, Process> processes_;
  std::set<pid_t> counted_asleep_;
  RanTasks* records_ = nullptr;  // null: the kernel gives no records
  Reader reader_;
  std::vector<pid_t> ran_;
  bool again_ = false;  // this look must start again
  pid_t awake_ = 0;     // a task that was awake in the last look; 0: none
};

}  // namespace

bool waits_for_a_cpu(std::string_view stat, std::string_view wchan, bool kernel_tells) {
  // proc(5): field 26, the stack's beginning; 1 where we may not look at the task.
  const bool permitted = number<std::uint64_t>(word(stat, 23)).value_or(0) > 1;
  return wchan == "0" && permitted && kernel_tells;
}

std::unique_ptr<TaskList> descendants_of(pid_t root) { return std::make_unique<Descendants>(root); }

}  // namespace sim::guest
