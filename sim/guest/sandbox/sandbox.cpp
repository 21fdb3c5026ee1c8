#include "sim/guest/sandbox/sandbox.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "base/process/process_name.h"
#include "base/process/system_call.h"
#include "sim/guest/sandbox/descriptor_passing.h"
#include "sim/guest/sandbox/guest_network.h"
#include "sim/guest/sandbox/own_namespaces.h"
#include "sim/guest/sandbox/sandbox_init.h"
#include "sim/kernel/check.h"

namespace sim::guest {
namespace {

constexpr int kNamespaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC;

// fork() into new namespaces. The child is killed with this process. The child is the init of a PID
// namespace, whose processes all die with their init.
pid_t fork_into(int namespaces) {
  const long child = syscall(SYS_clone, namespaces | SIGCHLD, 0, 0, 0, 0);
  if (child == 0 && namespaces != 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
  return static_cast<pid_t>(child);
}

// Nothing that this process has open may live on in a guest: a socket of another guest's would keep
// it alive.
void close_all_but(int first, int second) {
  const auto [low, high] = std::minmax(first, second);
  if (low > 3) close_range(3, static_cast<unsigned>(low) - 1, 0);
  if (high > low + 1)
    close_range(static_cast<unsigned>(std::max(low + 1, 3)), static_cast<unsigned>(high) - 1, 0);
  close_range(static_cast<unsigned>(std::max(high + 1, 3)), ~0U, 0);
}

std::pair<base::FileDescriptor, base::FileDescriptor> control_pair() {
  std::array<int, 2> ends{};
  base::checked(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()),
                "making a socket pair");
  return {base::FileDescriptor(ends[0]), base::FileDescriptor(ends[1])};
}

// Opened here, since a guest's /proc shows other processes.
std::vector<base::FileDescriptor> namespaces_of(pid_t init) {
  std::vector<base::FileDescriptor> out;
  for (const char* kind : {"user", "mnt", "net"}) {
    const std::string file = "/proc/" + std::to_string(init) + "/ns/" + kind;
    out.emplace_back(base::checked(open(file.c_str(), O_RDONLY | O_CLOEXEC), "opening " + file));
  }
  return out;
}

// In the child: enters the namespaces, says so by an errno, and waits for its end.
[[noreturn]] void stay_inside(const std::vector<base::FileDescriptor>& namespaces, int control) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  base::name_process("spotsim-inside");
  int error = 0;
  for (const base::FileDescriptor& space : namespaces)
    if (error == 0 && setns(space.get(), 0) != 0) error = errno;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (write(control, &error, sizeof error) != sizeof error || error != 0) _exit(1);
  close_range(0, ~0U, 0);
  for (;;) pause();
}

pid_t start_inside(pid_t init) {
  const std::vector<base::FileDescriptor> namespaces = namespaces_of(init);
  auto [ours, theirs] = control_pair();
  const pid_t child = base::checked(fork(), "looking into a guest");
  if (child == 0) stay_inside(namespaces, theirs.get());
  theirs = {};
  int error = 0;
  if (read(ours.get(), &error, sizeof error) != sizeof error) error = ECHILD;
  if (error == 0) return child;
  waitpid(child, nullptr, 0);
  errno = error;
  base::throw_errno("entering a guest's namespaces");
}

void append_descendants(pid_t pid, std::vector<pid_t>& out) {
  for (const pid_t child : children_of(pid)) {
    out.push_back(child);
    append_descendants(child, out);
  }
}

// In read(2) of a standard input that is a pipe, and without a child to do something else.
bool waits_for_a_pipe(pid_t process) {
  const std::string of = "/proc/" + std::to_string(process);
  std::ifstream in(of + "/syscall");
  int call = -1;
  std::string descriptor;
  if (!(in >> call >> descriptor) || call != SYS_read || descriptor != "0x0") return false;
  std::error_code gone;
  const std::string input = std::filesystem::read_symlink(of + "/fd/0", gone);
  return input.starts_with("pipe:") && children_of(process).empty();
}

}  // namespace

Sandbox Sandbox::start(const SandboxSpec& spec) {
  auto [ours, theirs] = control_pair();
  Sandbox out;
  out.level_ = spec.root.level;
  out.init_ = base::checked(fork_into(has_namespaces(spec.root.level) ? kNamespaces : 0),
                            "starting a guest's init");
  if (out.init_ == 0) {
    close_all_but(theirs.get(), spec.console);
    run_init(spec, std::move(theirs));
  }
  out.inside_ = out.init_;
  out.control_ = std::move(ours);
  theirs = {};
  Packet packet = receive_packet(out.control_.get());
  if (packet.text == kInPlace) {
    SIM_CHECK(packet.descriptors.size() == 2);
    out.root_files_ = {.upper = std::move(packet.descriptors[0]),
                       .top = std::move(packet.descriptors[1])};
    out.inside_ = start_inside(out.init_);
    static_cast<void>(send(out.control_.get(), "x", 1, MSG_NOSIGNAL));
    packet = receive_packet(out.control_.get());
  }
  if (packet.descriptors.empty()) {
    throw std::runtime_error("cannot set up a guest (" + std::string(name(spec.root.level)) +
                             "): " + (packet.text.empty() ? "its init died" : packet.text));
  }
  std::vector<base::FileDescriptor*> expected{&out.notifications_, &out.job_events_,
                                              &out.endpoint_};
  auto& [tls, datagrams, stream] = out.internet_;
  if (has_namespaces(spec.root.level)) expected.insert(expected.end(), {&tls, &datagrams, &stream});
  if (spec.metadata) expected.push_back(&out.metadata_);
  if (packet.descriptors.size() > expected.size())
    expected.insert(expected.end(), {&out.random_.bytes, &out.random_.uuid});
  SIM_CHECK(packet.descriptors.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) *expected[i] = std::move(packet.descriptors[i]);
  return out;
}

bool Sandbox::start_again(const Reboot& reboot) {
  if (!control_ || send(control_.get(), &reboot, sizeof reboot, MSG_NOSIGNAL) < 0) return false;
  Packet packet;
  do  // earlier messages of the init come first
    packet = receive_packet(control_.get());
  while (packet.descriptors.empty() && packet.text.size() == sizeof(SandboxMessage));
  if (packet.descriptors.size() != 1) return false;
  notifications_ = std::move(packet.descriptors[0]);
  return true;
}

Sandbox::~Sandbox() { kill(); }

std::filesystem::path Sandbox::root() const {
  if (!has_namespaces(level_)) return "/";
  return "/proc/" + std::to_string(inside_) + "/root";
}

std::optional<SandboxMessage> Sandbox::receive() {
  if (!control_) return {};
  SandboxMessage message{};
  const ssize_t size = recv(control_.get(), &message, sizeof message, MSG_DONTWAIT);
  if (size == sizeof message) return message;
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  kill();
  return SandboxMessage{SandboxMessage::Kind::kGone};
}

std::vector<pid_t> Sandbox::processes() const {
  std::vector<pid_t> out;
  if (control_) append_descendants(init_, out);
  return out;
}

std::vector<pid_t> Sandbox::to_terminate() const {
  std::vector<pid_t> all = processes(), others;
  std::ranges::copy_if(all, std::back_inserter(others),
                       [](pid_t process) { return !waits_for_a_pipe(process); });
  return others.empty() ? all : others;
}

void Sandbox::kill() {
  if (!control_) return;
  if (has_namespaces(level_)) ::kill(init_, SIGKILL);
  if (inside_ != init_) ::kill(inside_, SIGKILL);
  control_ = {};  // without namespaces: the init sees it, kills the others and exits
  for (const pid_t process : std::set{init_, inside_})
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::string try_sandbox(const GuestRoot& root) {
  auto [ours, theirs] = control_pair();
  const pid_t child = fork_into(kNamespaces);
  if (child < 0) return std::string("new namespaces: ") + strerror(errno);
  if (child == 0) {
    std::string text = "ok";
    try {
      enter_guest_root(root);
      leave_the_host();
      set_up_loopback();
    } catch (const std::exception& error) {
      text = error.what();
    }
    send_packet(theirs.get(), text, {});
    _exit(0);
  }
  theirs = {};
  const std::string text = receive_packet(ours.get()).text;
  waitpid(child, nullptr, 0);
  return text == "ok" ? "" : text.empty() ? "the trial sandbox died" : text;
}

}  // namespace sim::guest
