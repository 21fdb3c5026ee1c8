// Hibernation: all programs of a machine are stopped where they are, and continue later with their
// memory, open files and connections. Its file systems stay mounted.
//
// On EC2, the memory is written to the root volume. Here the processes stay in this machine's
// memory.
#include <signal.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/guest/process/process_host_state.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// The state in a folder of /proc, which follows the command's name in parentheses; 0 if the task
// has ended.
char state_of(const fs::path& task) {
  std::ifstream file(task / "stat");
  const std::string line{std::istreambuf_iterator<char>(file), {}};
  const auto at = line.rfind(") ");
  return at == line.npos ? '\0' : line[at + 2];
}

fs::path proc_folder(pid_t process) { return "/proc/" + std::to_string(process); }

// Whether SIGSTOP has been sent to the process and is yet to stop it.
bool is_about_to_stop(pid_t process) {
  std::ifstream status(proc_folder(process) / "status");
  std::uint64_t pending = 0;
  for (std::string word; status >> word;)
    if (word == "ShdPnd:") status >> std::hex >> pending;
  return (pending >> (SIGSTOP - 1) & 1) != 0;
}

// Whether SIGSTOP has reached all threads. One in state D, such as the caller of vfork(2), stops
// before it runs again.
bool is_still(pid_t process) {
  std::error_code ended;
  for (fs::directory_iterator task(proc_folder(process) / "task", ended), end;
       !ended && task != end; task.increment(ended))
    if (const char state = state_of(task->path()); state == 'R' || state == 'S') return false;
  return true;
}

// Returns when none of them runs any more.
void stop_all(const std::set<pid_t>& processes) {
  std::vector<pid_t> stopped;
  for (const pid_t process : processes)
    if (::kill(process, SIGSTOP) == 0) stopped.push_back(process);
  for (const pid_t process : stopped) wait_for_kernel([process] { return is_still(process); });
}

}  // namespace

void ProcessHost::State::freeze(Machine& machine) {
  supervisor.wake(machine.guest);
  for (const auto& [volume, plug] : machine.plugs) disks.sync(volume);
  for (const pid_t process : machine.sandbox.processes())
    if (is_about_to_stop(process) || state_of(proc_folder(process)) == 'T')
      machine.stopped_before.insert(process);
  const auto all = [&machine] {
    const std::vector<pid_t> processes = machine.sandbox.processes();
    return std::set(processes.begin(), processes.end());
  };
  // Again, because a process may fork before it stops.
  std::set<pid_t> stopped;
  for (std::set<pid_t> found = all(); found != stopped; found = all()) stop_all(stopped = found);
  machine.frozen = true;
  supervisor.fall_asleep(machine.guest);
}

void ProcessHost::State::thaw(Machine& machine) {
  supervisor.wake_up(machine.guest);
  supervisor.wake(machine.guest);
  machine.frozen = false;
  const std::set<pid_t> stopped_before = std::exchange(machine.stopped_before, {});
  for (const pid_t process : machine.sandbox.processes())
    if (!stopped_before.contains(process)) ::kill(process, SIGCONT);
}

void ProcessHost::hibernate(const cloud::Instance& instance, std::function<void()> at_rest) {
  if (Machine* const machine = state_->machines.find(instance.id.value)) {
    const bool is_up = state_->context.simulation.now() >= machine->up_at;
    if (machine->halting || !is_up)
      return halt(instance, cloud::Shutdown::kGraceful, std::move(at_rest));
    if (!machine->frozen) state_->freeze(*machine);
  }
  state_->context.simulation.after({}, std::move(at_rest));
}

void ProcessHost::resume(const cloud::Instance& instance) {
  Machine* const machine = state_->machines.find(instance.id.value);
  if (!machine || machine->gone) return;
  machine->frozen ? state_->thaw(*machine) : state_->start_again(*machine, {});
}

}  // namespace sim::guest
