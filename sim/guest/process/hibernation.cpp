// Hibernation: all programs of a machine are stopped where they are, and continue later with their
// memory, open files and connections. Its file systems stay mounted.
//
// On EC2, the memory is written to the root volume and the clocks that count from the boot stand
// still. Here the processes stay in this machine's memory, and these clocks go on: a sleep whose
// time is over ends when the machine resumes.
#include <signal.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "sim/guest/process/process_host_state.h"

namespace sim::guest {
namespace {

// The state in /proc/PID/stat, which follows the command's name in parentheses; 0 if it has ended.
char process_state(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string line{std::istreambuf_iterator<char>(file), {}};
  const auto at = line.rfind(") ");
  return at == line.npos ? '\0' : line[at + 2];
}

}  // namespace

void ProcessHost::State::freeze(Machine& machine) {
  supervisor.wake(machine.guest);
  for (const auto& [volume, plug] : machine.plugs) disks.sync(volume);
  for (const pid_t process : machine.sandbox.processes())
    if (process_state(process) == 'T') machine.stopped_before.insert(process);
  // Again, because a process may fork before it stops.
  std::size_t stopped = 0;
  for (std::vector<pid_t> all = machine.sandbox.processes(); all.size() != stopped;
       all = machine.sandbox.processes()) {
    stopped = all.size();
    for (const pid_t process : all) ::kill(process, SIGSTOP);
  }
  machine.frozen = true;
}

void ProcessHost::State::thaw(Machine& machine) {
  supervisor.wake(machine.guest);
  machine.frozen = false;
  const std::set<pid_t> stopped_before = std::exchange(machine.stopped_before, {});
  for (const pid_t process : machine.sandbox.processes())
    if (!stopped_before.contains(process)) ::kill(process, SIGCONT);
}

void ProcessHost::hibernate(const cloud::Instance& instance, std::function<void()> at_rest) {
  if (Machine* const machine = state_->machines.find(instance.id.value)) state_->freeze(*machine);
  state_->context.simulation.after({}, std::move(at_rest));
}

void ProcessHost::resume(const cloud::Instance& instance) {
  Machine* const machine = state_->machines.find(instance.id.value);
  if (machine && machine->frozen && !machine->gone) state_->thaw(*machine);
}

}  // namespace sim::guest
