#include "trainer/program_for_test.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>

#include "base/files/file_descriptor.h"

extern char** environ;

namespace spottrain {
namespace {

// Pointers for posix_spawn, valid as long as texts.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

int status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace

Program::Program(const Arguments& arguments, const Environment& environment, const char* output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  pipe_ = base::FileDescriptor(ends[0]);
  const base::FileDescriptor write_end(ends[1]);
  errors_ = base::FileDescriptor(memfd_create("stderr", MFD_CLOEXEC));

  std::vector<std::string> words{SPOTTRAIN};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables;
  // Of variables with the same name the first counts. The pipe can be opened by its path, like a
  // FIFO.
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  variables.push_back("JOB_EVENTS=/proc/self/fd/3");
  for (char** variable = environ; *variable; ++variable) variables.emplace_back(*variable);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors_.get(), 2);
  posix_spawn_file_actions_adddup2(&actions, write_end.get(), 3);
  const int error = posix_spawn(&pid_, SPOTTRAIN, &actions, nullptr, pointers_to(words).data(),
                                pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("posix_spawn " SPOTTRAIN);
}

Program::~Program() {
  if (status_) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::optional<nlohmann::json> Program::next_line() {
  for (;;) {
    if (const auto end = unread_.find('\n'); end != std::string::npos) {
      lines_.push_back(nlohmann::json::parse(unread_.substr(0, end)));
      unread_.erase(0, end + 1);
      return lines_.back();
    }
    char buffer[4096];
    const ssize_t got = read(pipe_.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    unread_.append(buffer, static_cast<std::size_t>(got));
  }
}

bool Program::read_until(const std::string& event, std::int64_t step) {
  while (const auto line = next_line()) {
    if (line->at("event") == event && (step < 0 || line->at("step") == step)) return true;
  }
  return false;
}

bool Program::read_ready(const std::string& event) {
  bool found = false;
  pollfd ready{.fd = pipe_.get(), .events = POLLIN, .revents = 0};
  while (unread_.find('\n') != std::string::npos ||
         (poll(&ready, 1, 0) == 1 && (ready.revents & POLLIN) != 0)) {
    const auto line = next_line();
    if (!line) break;
    found = found || line->at("event") == event;
  }
  return found;
}

void Program::signal(int number) const { kill(pid_, number); }

int Program::wait() {
  while (next_line()) {
  }
  if (!status_) {
    int wait_status = 0;
    waitpid(pid_, &wait_status, 0);
    status_ = status_of(wait_status);
  }
  return *status_;
}

bool Program::ended() {
  int wait_status = 0;
  if (!status_ && waitpid(pid_, &wait_status, WNOHANG) == pid_) status_ = status_of(wait_status);
  return status_.has_value();
}

std::string Program::errors() const {
  std::string text(static_cast<std::size_t>(lseek(errors_.get(), 0, SEEK_END)), '\0');
  if (pread(errors_.get(), text.data(), text.size(), 0) < 0) throw std::runtime_error("pread");
  return text;
}

Outcome run(const Arguments& arguments, const Environment& environment, const char* output) {
  Program program(arguments, environment, output);
  const int status = program.wait();
  return {status, program.errors(), program.lines()};
}

std::vector<nlohmann::json> lines_of(const std::vector<nlohmann::json>& lines,
                                     const std::string& event) {
  std::vector<nlohmann::json> found;
  for (const nlohmann::json& line : lines) {
    if (line.at("event") == event) found.push_back(line);
  }
  return found;
}

}  // namespace spottrain
