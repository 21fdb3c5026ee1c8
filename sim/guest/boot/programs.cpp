#include "sim/guest/boot/programs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/files/file_descriptor.h"
#include "base/process/process.h"

namespace sim::guest::boot {
namespace {

volatile sig_atomic_t got_sigterm = 0;

}  // namespace

Programs::Programs(Environment environment, std::function<void()> started)
    : environment_(std::move(environment)), started_(std::move(started)) {
  struct sigaction note {};
  note.sa_handler = [](int) { got_sigterm = 1; };
  note.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &note, nullptr);
}

bool Programs::stopped() const { return got_sigterm != 0; }

int Programs::run(const std::vector<std::string>& argv, const Environment& more) {
  return start_and_wait(argv, more, -1);
}

int Programs::run_quietly(const std::vector<std::string>& argv, std::string& output,
                          const Environment& more) {
  char name[] = "/tmp/cloud-init-XXXXXX";
  const base::FileDescriptor file(mkostemp(name, O_CLOEXEC));
  unlink(name);
  const int status = start_and_wait(argv, more, file.get());
  char part[4096];
  for (off_t at = 0; const ssize_t n = pread(file.get(), part, sizeof part, at);) {
    if (n < 0) break;
    output.append(part, static_cast<std::size_t>(n));
    at += n;
  }
  return status;
}

int Programs::start_and_wait(const std::vector<std::string>& argv, const Environment& more,
                             int output) {
  if (started_) started_();
  std::vector<std::string> settings;
  Environment all = environment_;
  for (const auto& [key, value] : more) all[key] = value;
  for (const auto& [key, value] : all) settings.push_back(key + "=" + value);
  std::vector<char*> arguments, variables;
  for (const auto& word : argv) arguments.push_back(const_cast<char*>(word.c_str()));
  for (auto& setting : settings) variables.push_back(setting.data());
  arguments.push_back(nullptr);
  variables.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) return 127;
  if (child == 0) {
    signal(SIGTERM, SIG_DFL);
    if (output >= 0) {
      dup2(output, STDOUT_FILENO);
      dup2(output, STDERR_FILENO);
    }
    environ = variables.data();
    // execvp would hand a file that is no program to a shell.
    if (argv[0].find('/') != std::string::npos)
      execve(arguments[0], arguments.data(), variables.data());
    else
      execvp(arguments[0], arguments.data());
    _exit(errno == ENOEXEC ? 126 : 127);
  }
  const int status = base::wait_for_end(child);
  killed_ = WIFSIGNALED(status);
  return base::exit_status(status);
}

}  // namespace sim::guest::boot
