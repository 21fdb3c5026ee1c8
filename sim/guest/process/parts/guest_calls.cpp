#include "sim/guest/process/parts/guest_calls.h"

#include <fmt/format.h>

#include <utility>

#include "sim/events/event.h"
#include "sim/guest/process/console/command_error.h"
#include "sim/guest/time/guest_task.h"
#include "sim/guest/time/real_clock.h"

namespace sim::guest {

GuestCalls::GuestCalls(HostContext& context, const Machines& machines, Devices& devices,
                       MachineNetwork& network, TrainerProgress& progress, MachineFaults& faults,
                       Consoles& consoles, WarmPrograms& warm_programs)
    : context_(context),
      machines_(machines),
      devices_(devices),
      network_(network),
      progress_(progress),
      faults_(faults),
      consoles_(consoles),
      warm_programs_(warm_programs) {}

void GuestCalls::computed(int guest, Time from, Time to) {
  const Machine* const machine = machines_.of(guest);
  if (machine != nullptr) computing_times_.add(machine->instance, from, to);
}

Duration GuestCalls::charge(int guest) {
  Machine* const machine = machines_.of(guest);
  return machine ? devices_.charge(*machine) : Duration{};
}

bool GuestCalls::lendable(int guest) { return devices_.lendable(machines_.of(guest)); }

std::optional<Duration> GuestCalls::sync(int guest, int descriptor, int call) {
  return devices_.sync(machines_.of(guest), descriptor, call);
}

void GuestCalls::written_through(int guest, const std::filesystem::path& file) {
  if (Machine* const machine = machines_.of(guest)) machine->written_through.push_back(file);
}

void GuestCalls::make_fifo(int guest, const std::filesystem::path& fifo) {
  if (const Machine* const machine = machines_.of(guest)) devices_.make_fifo(*machine, fifo);
}

std::optional<PowerCut> GuestCalls::write(int guest, pid_t task, int descriptor) {
  Machine* const machine = machines_.of(guest);
  return machine ? faults_.on_write(*machine, task, descriptor) : std::nullopt;
}

std::optional<int> GuestCalls::control(int guest, int descriptor, std::uint32_t request,
                                       std::uint64_t argument) {
  const Machine* const machine = machines_.of(guest);
  return machine ? devices_.control(*machine, descriptor, request, argument) : std::nullopt;
}

std::optional<int> GuestCalls::mount(const MountCall& call) {
  Machine* const machine = machines_.of(call.guest);
  if (!machine) return {};
  const auto result = devices_.mount(*machine, call);
  if (result == 0) progress_.skip_what_was_mounted(*machine);
  return result;
}

std::optional<int> GuestCalls::unmount(int guest, pid_t task, const std::string& target) {
  Machine* const machine = machines_.of(guest);
  if (machine) {
    progress_.look_at_files(*machine);
    faults_.make_room(*machine);
  }
  return devices_.unmount(machine, task, target);
}

ConnectAnswer GuestCalls::connect(ConnectCall call) { return network_.connect(std::move(call)); }

int GuestCalls::memory_image(int guest, pid_t task, const std::string& program) {
  const Machine* const machine = machines_.of(guest);
  return machine ? warm_programs_.image_for(*machine, task, program) : -1;
}

// A program may try again and again; the log has the first time.
void GuestCalls::refused(int guest, std::string_view call) {
  Machine* const machine = machines_.of(guest);
  if (machine == nullptr || !machine->refused.emplace(call).second) return;
  context_.log.append(events::GuestRefused{
      .time = context_.simulation.now(), .machine = machine->name, .call = call});
}

// Logs each message of a machine once: a script may try a command again and again. The real time
// that a machine's readers of pipes may take has a bound, because all machines wait.
void GuestCalls::exits(int guest, pid_t task, int status) {
  using std::chrono::milliseconds;
  constexpr milliseconds kLongestWait{100}, kLongestWaits{1000};
  Machine* const machine = machines_.of(guest);
  if (machine == nullptr) return;
  std::optional<milliseconds> longest_wait;
  if (!context_.config.lockstep)
    longest_wait = machine->waited_for_readers < kLongestWaits ? kLongestWait : milliseconds{0};
  const auto began = real_time();
  const std::string message =
      command_error(task, status, consoles_.of(machine->name).path(), longest_wait);
  machine->waited_for_readers += real_time() - began;
  if (message.empty() || !machine->command_errors.insert(message).second) return;
  context_.log.append(events::GuestCommandError{.time = context_.simulation.now(),
                                                .machine = machine->name,
                                                .status = status,
                                                .command = command_of(task),
                                                .message = message});
}

// The log has the first time only.
void GuestCalls::spun(const BusyTask& task) {
  Machine* const machine = machines_.of(task.guest);
  if (machine == nullptr || !machine->spun.emplace(task.process, task.does).second) return;
  context_.log.append(events::GuestSpun{.time = context_.simulation.now(),
                                        .machine = machine->name,
                                        .process = task.process,
                                        .command = task.command,
                                        .does = task.does});
}

void GuestCalls::busy(const BusyTask& task) {
  const Machine* const machine = machines_.of(task.guest);
  if (machine == nullptr) return;
  context_.config.say(
      fmt::format("busy: process {} of {} ({}) has not rested for 10 s of real time: it {}",
                  task.process, machine->name, task.command, task.does));
}

}  // namespace sim::guest
