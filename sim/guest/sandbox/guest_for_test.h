// Runs one program under the time supervisor, for tests: as root in a pid namespace of its own,
// else below a subreaper.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/guest/time/lockstep.h"
#include "sim/guest/time/seccomp_filter.h"
#include "sim/guest/time/supervisor.h"

namespace sim::guest::test {

inline const Time kStart = Time{std::chrono::seconds{1'577'836'800}};  // 2020-01-01

using MakeTaskList = std::function<std::unique_ptr<TaskList>(pid_t root)>;

// A running program. When this object is destroyed, the program and its children are killed.
class TestGuest {
 public:
  TestGuest(Supervisor& supervisor, const SupervisorOptions& options,
            std::vector<std::string> command, FilterOptions filter = {},
            const MakeTaskList& tasks_below = descendants_of)
      : supervisor_(supervisor) {
    filter.lockstep = options.lockstep;
    int channel[2], output[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0 ||
        pipe2(output, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "TestGuest");
    base::FileDescriptor ours(channel[0]), theirs(channel[1]), write_end(output[1]);
    output_ = base::FileDescriptor(output[0]);
    fcntl(output_.get(), F_SETFL, O_NONBLOCK);
    const unsigned long flags = SIGCHLD | (geteuid() == 0 ? CLONE_NEWPID : 0);
    init_ = static_cast<pid_t>(syscall(SYS_clone, flags, nullptr, nullptr, nullptr, nullptr));
    if (init_ == 0) be_init(command, options, filter, theirs.get(), write_end.get());
    theirs = base::FileDescriptor();
    token_ = supervisor.adopt(receive_descriptor(ours.get()), tasks_below(init_), command[0]);
  }
  ~TestGuest() {
    supervisor_.release(token_);
    if (status_ < 0) {
      for (const pid_t pid : below(init_)) kill(pid, SIGKILL);
      kill(init_, SIGKILL);
      waitpid(init_, nullptr, 0);
    }
  }
  TestGuest(const TestGuest&) = delete;
  TestGuest& operator=(const TestGuest&) = delete;

  // Reads output and the exit status without waiting. Returns true if there was any.
  bool poll() {
    char part[4096];
    ssize_t n;
    bool any = false;
    while ((n = read(output_.get(), part, sizeof part)) > 0) {
      text_.append(part, static_cast<std::size_t>(n));
      any = true;
    }
    int status = 0;
    if (status_ < 0 && waitpid(init_, &status, WNOHANG) == init_) {
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      any = true;
    }
    return any;
  }
  bool ended() const { return status_ >= 0; }
  int status() const { return status_; }
  const std::string& output() const { return text_; }
  int token() const { return token_; }
  pid_t init() const { return init_; }

 private:
  [[noreturn]] static void be_init(const std::vector<std::string>& command,
                                   const SupervisorOptions& options, const FilterOptions& filter,
                                   int channel, int output) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    dup2(output, STDOUT_FILENO);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    if (getenv("GUEST_STDERR") == nullptr) dup2(nothing, STDERR_FILENO);
    if (options.lockstep && !join_lockstep()) _exit(125);
    const int listener = install_time_filter(filter);
    if (listener < 0) _exit(126);
    send_descriptor(channel, listener);
    close(listener);
    const pid_t program = fork();
    if (program == 0) {
      std::vector<char*> arguments;
      for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      execvp(arguments[0], arguments.data());
      _exit(127);
    }
    int status = 0;
    for (pid_t pid; (pid = wait(&status)) != program;)
      if (pid < 0 && errno != EINTR) _exit(124);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }

  struct Message {
    char byte = 0;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    iovec part{&byte, 1};
    msghdr header{};
    Message() {
      header.msg_iov = &part;
      header.msg_iovlen = 1;
      header.msg_control = control;
      header.msg_controllen = sizeof control;
    }
  };
  static void send_descriptor(int channel, int descriptor) {
    Message message;
    cmsghdr* head = CMSG_FIRSTHDR(&message.header);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    if (sendmsg(channel, &message.header, 0) != 1) _exit(123);
  }
  static int receive_descriptor(int channel) {
    Message message;
    if (recvmsg(channel, &message.header, MSG_CMSG_CLOEXEC) != 1 ||
        CMSG_FIRSTHDR(&message.header) == nullptr)
      throw std::runtime_error("the guest could not install its filter");
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message.header)), sizeof descriptor);
    return descriptor;
  }
  static std::vector<pid_t> below(pid_t root) {
    std::vector<TaskState> tasks;
    descendants_of(root)->look(Look::kEveryTask, tasks);
    std::vector<pid_t> pids;
    for (const TaskState& task : tasks) pids.push_back(task.tid);
    return pids;
  }

  Supervisor& supervisor_;
  base::FileDescriptor output_;
  pid_t init_ = -1;
  int token_ = 0;
  int status_ = -1;
  std::string text_;
};

// A world that contains only programs.
struct TestWorld {
  explicit TestWorld(SupervisorOptions chosen = {}) : options(chosen) {
    supervisor.add_source([this] {
      bool any = false;
      for (const auto& guest : guests) any = guest->poll() || any;
      return any;
    });
  }

  TestGuest& start(std::vector<std::string> command, const FilterOptions& filter = {},
                   const MakeTaskList& tasks_below = descendants_of) {
    guests.push_back(
        std::make_unique<TestGuest>(supervisor, options, std::move(command), filter, tasks_below));
    return *guests.back();
  }
  // Runs until all programs have ended. Returns false if they wait forever.
  bool run() {
    return supervisor.run([this] {
      for (const auto& guest : guests)
        if (!guest->ended()) return false;
      return true;
    });
  }
  Duration elapsed() const { return simulation.now() - kStart; }

  SupervisorOptions options;
  Simulation simulation{kStart};
  Supervisor supervisor{simulation, Streams{1}, options};
  std::vector<std::unique_ptr<TestGuest>> guests;
};

// The result of one program as "output rc=status", and its duration in virtual time.
struct Outcome {
  std::string text;
  Duration took;
};
inline Outcome outcome_of(std::vector<std::string> command, SupervisorOptions options = {}) {
  TestWorld world(options);
  const TestGuest& guest = world.start(std::move(command));
  if (!world.run()) return {guest.output() + "waits for ever", world.elapsed()};
  return {guest.output() + "rc=" + std::to_string(guest.status()), world.elapsed()};
}

}  // namespace sim::guest::test
