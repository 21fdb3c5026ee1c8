#include "sim/guest/time/spinning_tasks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/files/whole_file.h"
#include "sim/guest/time/lockstep.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

using namespace std::chrono_literals;

// Real time without a rest of all tasks before the first check for a spinning task.
constexpr auto kFirstLook = 500ms;
constexpr auto kLookAgain = 5ms;
// CPU time that a task uses without a rest before it is declared spinning.
constexpr Duration kPatience = 2s;
// The same for a process whose tasks have been declared spinning kOften times.
constexpr Duration kShortPatience = 10ms;
constexpr int kOften = 3;
// A spinning task sees what an event has changed: CPU time between two events.
constexpr Duration kBetweenEvents = 1ms;
// Virtual time that passes for a task that polls doubles with each kDoubling of its CPU time.
constexpr Duration kFirstPolls = 10ms;
constexpr Duration kDoubling = 100ms;
// CPU time in which the kernel's ticks show how a task uses it.
constexpr Duration kSample = 500ms;

std::string text_of(const std::string& file) {
  return base::read_file(file).value_or("");  // a task may have ended
}

// The number after "key:"; 0 if there is none.
std::uint64_t field(const std::string& text, const std::string& key) {
  const auto at = text.find(key + ":");
  return at == std::string::npos ? 0
                                 : std::strtoull(text.c_str() + at + key.size() + 1, nullptr, 10);
}

// The virtual time that may have passed for a task that has used so much CPU time.
Duration allowed(bool polls, Duration cpu, Duration patience, Duration free) {
  if (!polls) return std::max(cpu - free, Duration{0});
  const double doublings = std::chrono::duration<double>(cpu - patience) / kDoubling;
  return std::chrono::duration_cast<Duration>(
      std::chrono::duration<double, Duration::period>(kFirstPolls) *
      (std::exp2(std::clamp(doublings, 0.0, 40.0)) - 1));
}

}  // namespace

std::optional<TaskUsage> usage_of(pid_t tid) {
  const std::string folder = "/proc/" + std::to_string(tid) + "/task/" + std::to_string(tid) + "/";
  const std::string stat = text_of(folder + "stat"), schedstat = text_of(folder + "schedstat");
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos || schedstat.empty()) return {};
  TaskUsage usage;
  usage.cpu = Duration{std::strtoll(schedstat.c_str(), nullptr, 10)};
  usage.rests = field(text_of(folder + "status"), "\nvoluntary_ctxt_switches");
  // proc(5): from field 3 on; 10 is minflt, 14 and 15 are utime and stime.
  std::istringstream words(stat.substr(name_end + 1));
  std::string word;
  for (int i = 3; words >> word; ++i) {
    if (i == 10) usage.faults = std::stoull(word);
    if (i == 14) usage.user_ticks = std::stoull(word);
    if (i == 15) usage.kernel_ticks = std::stoull(word);
  }
  const std::string io = text_of(folder + "io");
  usage.bytes = field(io, "rchar") + field(io, "wchar");
  return usage;
}

// A computation is rarely in the kernel, except to get memory: that shows as faults. A program that
// copies files moves bytes.
bool looks_like_polling(const TaskUsage& before, const TaskUsage& after) {
  const auto kernel = after.kernel_ticks - before.kernel_ticks;
  const auto all = kernel + after.user_ticks - before.user_ticks;
  const bool in_the_kernel = kernel >= 2 && 25 * kernel >= all;  // 4 %
  return in_the_kernel && after.bytes == before.bytes && after.faults - before.faults < 100;
}

Duration SpinningTasks::Work::cpu() const {
  std::uint64_t sum = 0;
  for (const auto& [tid, part] : parts) sum += part.now - part.before;
  return Duration{static_cast<Duration::rep>(sum)};
}

std::pair<const pid_t, SpinningTasks::Work::Part> SpinningTasks::Work::most() const {
  return *std::ranges::max_element(
      parts, {}, [](const auto& entry) { return entry.second.now - entry.second.before; });
}

void SpinningTasks::all_rest() {
  watched_.clear();
  next_watch_.reset();
}

void SpinningTasks::watch() {
  const auto real = real_time();
  if (!next_watch_) next_watch_ = real + (processes_.empty() ? kFirstLook : kLookAgain);
  if (real < *next_watch_) return;
  next_watch_ = real + kLookAgain;
  others_ran();
  if (!work_) work_ = {.began = world_.simulation.now(), .real_began = real};
  for (const int token : world_.restless) {
    const auto guest = world_.find(token);
    std::vector<TaskState> tasks;
    if (guest) guest->tasks->look(Look::kToTheEnd, tasks);
    for (const TaskState& task : tasks) {
      work_->parts.try_emplace(task.tid, token, task.cpu_nanoseconds).first->second.now =
          task.cpu_nanoseconds;
      if (task.state == 'R') watch(*guest, task.tid);
    }
  }
  watch_work();
}

void SpinningTasks::watch_work() {
  if (real_time() - work_->real_began < world_.options.busy_after ||
      work_->cpu() < world_.options.busy_after / 2)
    return;
  const auto [tid, part] = work_->most();
  if (reported_.insert(tid).second) world_.hooks->busy(describe(part.guest, tid, false));
}

bool SpinningTasks::works_on() const {
  return work_ && work_->cpu() >= world_.options.free_computing;
}

bool SpinningTasks::let_pass_at_work(Time next) const {
  return works_on() && next - work_->began <= work_->cpu() - world_.options.free_computing;
}

void SpinningTasks::pass_at_work(Time next) {
  const auto [tid, part] = work_->most();
  world_.hooks->spun(describe(part.guest, tid, false));
  world_.hooks->computed(part.guest, world_.simulation.now(), next);
}

bool SpinningTasks::often(pid_t tid) const {
  if (processes_.empty()) return false;
  const auto known = processes_.find(process_of(tid));
  return known != processes_.end() && known->second.times >= kOften;
}

void SpinningTasks::watch(Guest& guest, pid_t tid) {
  const auto real = real_time();
  const auto usage = usage_of(tid);
  if (!usage) return;
  Watched& watched = watched_.try_emplace(tid, Watched{*usage, real}).first->second;
  if (watched.since.rests != usage->rests) watched = {*usage, real};
  const bool polls = looks_like_polling(watched.since, *usage);
  // A task that only waits for its turn uses no CPU.
  const bool long_busy = real - watched.began >= world_.options.busy_after &&
                         usage->cpu - watched.since.cpu >= world_.options.busy_after / 2;
  if (long_busy && reported_.insert(tid).second)
    world_.hooks->busy(describe(guest.token, tid, polls));
  if (usage->cpu - watched.since.cpu >= (often(tid) ? kShortPatience : kPatience))
    declare(guest, tid, watched.since, *usage);
}

void SpinningTasks::declare(Guest& guest, pid_t tid, const TaskUsage& since, const TaskUsage& now) {
  History& history = processes_[process_of(tid)];
  const Duration patience = now.cpu - since.cpu;
  const bool polls = patience >= kSample ? looks_like_polling(since, now) : history.polls;
  history = {history.times + 1, polls};
  spinning_[tid] = {.guest = guest.token,
                    .since = since,
                    .patience = patience,
                    .began = world_.simulation.now(),
                    .cpu_at_event = now.cpu,
                    .was_queued = leave_lockstep(tid),
                    .polls = polls};
  ++guest.spinning;
  guest.takes_two_looks = true;  // its children are not in the queue, either
  guest.tasks->count_as_asleep(tid, true);
}

bool SpinningTasks::rested() {
  return std::erase_if(spinning_, [this](const auto& entry) {
           const auto& [tid, task] = entry;
           const auto usage = usage_of(tid);
           if (usage && usage->rests == task.since.rests && world_.find(task.guest)) return false;
           forget(tid, task);
           return true;
         }) > 0;
}

// A process that spins again and again stays out of the queue: its threads run side by side.
void SpinningTasks::forget(pid_t tid, const Spinning& task) {
  const auto guest = world_.find(task.guest);
  if (!guest) return;
  guest->spinning = std::max(guest->spinning - 1, 0);  // a reboot has made it 0
  guest->tasks->count_as_asleep(tid, false);
  watched_.erase(tid);
  if (task.was_queued && !often(tid)) return_to_lockstep(tid);
}

BusyTask SpinningTasks::describe(int guest, pid_t tid, bool polls) const {
  return {.guest = guest,
          .process = number_in_namespace(tid),
          .command = command_of(tid),
          .does = polls ? "polls" : "computes"};
}

// Before time passes, the spinning tasks see what the others did.
void SpinningTasks::others_ran() {
  for (auto& [tid, task] : spinning_)
    if (const auto usage = usage_of(tid)) task.cpu_at_event = usage->cpu;
}

void SpinningTasks::tell() {
  others_ran();
  for (auto& [tid, task] : spinning_)
    if (!std::exchange(task.told, true)) world_.hooks->spun(describe(task.guest, tid, task.polls));
}

void SpinningTasks::pass(Time next) {
  tell();
  for (const auto& [tid, task] : spinning_)
    world_.hooks->computed(task.guest, world_.simulation.now(), next);
}

bool SpinningTasks::let_pass(Time next) {
  for (const auto& [tid, task] : spinning_) {
    const auto usage = usage_of(tid);
    if (!usage || usage->cpu - task.cpu_at_event < kBetweenEvents) return false;
    const Duration most = allowed(task.polls, usage->cpu - task.since.cpu, task.patience,
                                  world_.options.free_computing);
    if (next - task.began > most) return false;
  }
  return true;
}

}  // namespace sim::guest
