#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/process/process.h"
#include "orchestrator/production/linux_machine.h"

namespace spotrun {
namespace {

constexpr Duration kAnHour{3'600'000};

pid_t start_command(const Command& command) {
  try {
    return base::start_process(
        {.argv = command.argv, .folder = command.folder, .environment = command.environment});
  } catch (const std::runtime_error& error) {
    throw MachineError(error.what());
  }
}

}  // namespace

LinuxMachine::LinuxMachine(StopSignals& signals, std::string root)
    : signals_(signals), root_(std::move(root)) {
  while (root_.ends_with('/')) root_.pop_back();
}

LinuxMachine::~LinuxMachine() {
  if (trainer_.pid < 0) return;
  kill(-group_, SIGKILL);
  reap(trainer_);
}

LinuxMachine::Child LinuxMachine::start(const Command& command) {
  Child child{.pid = start_command(command)};
  child.descriptor = static_cast<int>(syscall(SYS_pidfd_open, child.pid, 0));
  if (child.descriptor < 0) {
    const int why = errno;
    kill(-child.pid, SIGKILL);
    base::wait_for_end(child.pid);
    throw MachineError(fmt::format("pidfd_open: {}", std::strerror(why)));
  }
  return child;
}

ExitStatus LinuxMachine::reap(Child& child) {
  const int status = base::wait_for_end(child.pid);
  close(child.descriptor);
  child = {};
  if (WIFSIGNALED(status)) return {.code = 0, .signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status)};
}

ExitStatus LinuxMachine::run(const Command& command) {
  Child child = start(command);
  const pid_t group = child.pid;
  try {
    while (!signals_.wait(child.descriptor, kAnHour)) {
    }
  } catch (const Stopped&) {
    kill(-group, SIGTERM);
    reap(child);
    throw;
  }
  return reap(child);
}

void LinuxMachine::start_trainer(const Command& command) {
  if (trainer_.pid >= 0) throw MachineError("a trainer runs already");
  trainer_ = start(command);
  group_ = trainer_.pid;
}

void LinuxMachine::signal_trainer(int signal) {
  if (group_ > 0) kill(-group_, signal);
}

std::optional<ExitStatus> LinuxMachine::wait_trainer(Duration timeout, Time /*look*/) {
  if (trainer_.pid < 0) throw MachineError("no trainer runs");
  if (!signals_.wait(trainer_.descriptor, timeout)) return std::nullopt;
  return reap(trainer_);
}

}  // namespace spotrun
