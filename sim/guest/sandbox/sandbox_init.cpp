#include "sim/guest/sandbox/sandbox_init.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>

#include "base/process/descriptor_limit.h"
#include "base/process/process_name.h"
#include "base/process/system_call.h"
#include "sim/guest/sandbox/descriptor_passing.h"
#include "sim/guest/sandbox/first_mounts.h"
#include "sim/guest/sandbox/guest_network.h"
#include "sim/guest/sandbox/own_attributes.h"
#include "sim/guest/sandbox/own_namespaces.h"
#include "sim/guest/sandbox/random_files.h"
#include "sim/guest/time/lockstep.h"
#include "sim/guest/time/seccomp_filter.h"

namespace sim::guest {
namespace {

using Kind = SandboxMessage::Kind;

// systemd's signals for "power off" and "reboot"; what the guest's commands of the name send.
int power_off_signal() { return SIGRTMIN + 4; }
int reboot_signal() { return SIGRTMIN + 5; }

struct Sockets {
  base::FileDescriptor endpoint, metadata, job_events;
  InternetSockets internet;
  RandomFiles random;
};

Sockets open_sockets(const SandboxSpec& spec) {
  const bool own = has_namespaces(spec.root.level);
  Sockets out;
  if (own) set_up_loopback();
  out.endpoint = own ? listen_at(kEndpointAddress, 80) : listen_at("127.0.0.1", 0);
  if (spec.metadata)
    out.metadata = own ? listen_at(kMetadataAddress, 80) : listen_at("127.0.0.1", 0);
  if (own) {
    out.internet = {listen_at(kEndpointAddress, 443), receive_at(kEndpointAddress, 53),
                    listen_at(kEndpointAddress, 53)};
  }
  base::checked(mkfifo(spec.job_events.c_str(), 0666), "making " + spec.job_events.string());
  base::checked(chmod(spec.job_events.c_str(), 0666), "opening up " + spec.job_events.string());
  out.job_events = base::FileDescriptor(base::checked(
      open(spec.job_events.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC), "opening job events"));
  return out;
}

using Variables = std::map<std::string, std::string>;

Variables environment_of(const SandboxSpec& spec, const Sockets& sockets) {
  auto out = spec.environment;
  if (has_namespaces(spec.root.level)) return out;
  const auto url = [](const base::FileDescriptor& socket) {
    return "http://127.0.0.1:" + std::to_string(port_of(socket));
  };
  out["AWS_ENDPOINT_URL"] = url(sockets.endpoint);
  // aws-cli 2.9 appends its paths directly, so the URL needs a slash at its end.
  if (sockets.metadata) out["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = url(sockets.metadata) + "/";
  out["SPOTSIM_INIT"] = std::to_string(getpid());
  return out;
}

// Like systemd at boot: the name set by `hostname` is lost, the one set by hostnamectl remains.
void set_host_name_again() {
  std::ifstream file("/etc/hostname");
  if (std::string name; std::getline(file, name) && !name.empty())
    static_cast<void>(!!sethostname(name.data(), name.size()));
}

// `reboot`: null at the first start, when the sockets are sent along.
[[noreturn]] void run_first(const SandboxSpec& spec, const Variables& variables,
                            const Sockets& sockets, const FirstMounts& mounts, int control,
                            const Reboot* reboot) {
  if (has_namespaces(spec.root.level)) {
    reboot ? mounts.undo_others() : mounts.note();
    if (reboot) set_host_name_again();
  }
  std::vector<std::string> settings;
  for (const auto& [key, value] : variables) settings.push_back(key + "=" + value);
  std::vector<char*> environment, arguments;
  for (auto& setting : settings) environment.push_back(setting.data());
  for (const auto& word : spec.command) arguments.push_back(const_cast<char*>(word.c_str()));
  environment.push_back(nullptr);
  arguments.push_back(nullptr);
  setsid();
  base::set_usual_descriptor_limit();
  base::checked(chdir(spec.folder.c_str()), "entering " + spec.folder);
  const int nothing = base::checked(open("/dev/null", O_RDONLY), "opening /dev/null");
  dup2(nothing, 0);
  dup2(spec.console, 1);
  dup2(spec.console, 2);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);

  const std::string text = "ready";
  std::vector<int> descriptors{-1};
  const auto& [tls, datagrams, stream] = sockets.internet;
  for (const auto* own : {&sockets.job_events, &sockets.endpoint, &tls, &datagrams, &stream,
                          &sockets.metadata, &sockets.random.bytes, &sockets.random.uuid})
    if (*own) descriptors.push_back(own->get());
  FilterOptions options;
  options.lockstep = spec.lockstep;
  options.mounts = true;
  options.writes = spec.writes;
  options.fifos = spec.root.level == Level::kRoot;  // where files have virtual times
  options.one_user = spec.root.level == Level::kUserNamespaces;
  descriptors[0] = base::checked(install_time_filter(options), "installing the time filter");
  send_packet(control, text, descriptors);
  if (spec.program) {
    close_range(3, ~0U, 0);
    _exit(spec.program(variables, reboot));
  }
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  execve(arguments[0], arguments.data(), environment.data());
  std::fprintf(stderr, "%s: %m\n", arguments[0]);
  _exit(127);
}

void tell(int control, Kind kind, int status = 0) {
  const SandboxMessage message{kind, status};
  static_cast<void>(!write(control, &message, sizeof message));
}

// Kills until nothing is left: orphans come to us, as init or as subreaper.
[[noreturn]] void end_all() {
  if (getpid() == 1) _exit(0);  // the kernel ends the namespace
  for (;;) {
    for (const pid_t child : children_of(getpid())) ::kill(child, SIGKILL);
    if (waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) _exit(0);
  }
}

// A child that ends while another is reaped is reaped with it, and its own signal finds nothing. So
// the end of all children is reported once.
void reap(int control, pid_t first) {
  int status = 0;
  bool any = false;
  pid_t child;
  while ((child = waitpid(-1, &status, WNOHANG)) > 0) {
    any = true;
    if (child != first) continue;
    tell(control, Kind::kFirstExited,
         WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  }
  if (any && child < 0 && errno == ECHILD) tell(control, Kind::kEmpty);
}

pid_t start_first(const SandboxSpec& spec, const Variables& variables, const Sockets& sockets,
                  const FirstMounts& mounts, int control, const Reboot* reboot) {
  const pid_t first = base::checked(fork(), "starting the first program");
  if (first != 0) return first;
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // the supervisor answers its calls
  base::name_process("spotsim-first");
  if (spec.lockstep && !join_lockstep()) base::throw_errno("joining the lockstep");
  run_first(spec, variables, sockets, mounts, control, reboot);
}

[[noreturn]] void serve(const SandboxSpec& spec, const Variables& variables,
                        const FirstMounts& mounts, int control, int signals, pid_t first) {
  for (;;) {
    pollfd ready[] = {{control, POLLIN, 0}, {signals, POLLIN, 0}};
    if (poll(ready, 2, -1) < 0) continue;
    if (ready[0].revents) {
      Reboot reboot;
      if (recv(control, &reboot, sizeof reboot, 0) != sizeof reboot) end_all();  // it closed
      first = start_first(spec, variables, {}, mounts, control, &reboot);
    }
    signalfd_siginfo signal{};
    while (read(signals, &signal, sizeof signal) == sizeof signal) {
      const int number = static_cast<int>(signal.ssi_signo);
      if (number == power_off_signal()) tell(control, Kind::kPowerOff);
      if (number == reboot_signal()) tell(control, Kind::kReboot);
      if (number == SIGCHLD) reap(control, first);
    }
  }
}

int block_signals() {
  sigset_t handled;
  sigemptyset(&handled);
  sigaddset(&handled, SIGCHLD);
  sigaddset(&handled, power_off_signal());
  sigaddset(&handled, reboot_signal());
  sigaddset(&handled, SIGINT);  // from the terminal: the owner of the run ends us
  sigaddset(&handled, SIGTERM);
  sigaddset(&handled, SIGHUP);
  base::checked(sigprocmask(SIG_SETMASK, &handled, nullptr), "blocking signals");
  return base::checked(signalfd(-1, &handled, SFD_NONBLOCK | SFD_CLOEXEC), "making a signalfd");
}

// The caller's environment may hold keys. name_process() clears the original block, this function
// clears the strings that setenv(3) added. The guest's programs get an environment of their own.
void forget_environment() {
  static char* none[] = {nullptr};
  for (char** setting = environ; setting && *setting; ++setting)
    explicit_bzero(*setting, strlen(*setting));
  environ = none;
}

// Neither the terminal nor any file that spotsim's own output goes to.
void leave_the_terminal() {
  setsid();
  const base::FileDescriptor nothing(
      base::checked(open("/dev/null", O_RDWR | O_CLOEXEC), "opening /dev/null"));
  for (int descriptor = 0; descriptor < 3; ++descriptor) dup2(nothing.get(), descriptor);
}

// From here on the kernel refuses the guest's root whatever concerns this process: tracing it, its
// memory, its descriptors, its namespaces. The memory belongs to the host's user namespace, because
// this process has not executed a program since it left that (ptrace(2), PTRACE_MODE_*).
void close_to_others(int control, const RootFiles& files) {
  send_packet(control, std::string(kInPlace), {files.upper.get(), files.top.get()});
  char go = 0;
  if (recv(control, &go, 1, 0) != 1) _exit(0);
  base::checked(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "closing a guest's init");
  base::checked(install_init_filter(), "installing the init's filter");
}

}  // namespace

std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> out;
  std::error_code gone;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", gone)) {
    std::ifstream in(task.path() / "children");
    for (pid_t child; in >> child;) out.push_back(child);
  }
  return out;
}

void run_init(const SandboxSpec& spec, base::FileDescriptor control) {
  try {
    forget_the_caller();
    const int signals = block_signals();
    base::name_process("spotsim-init");
    forget_environment();
    leave_the_terminal();
    // Before the rights to do so are gone; the first program leaves it again.
    if (spec.lockstep) base::checked(precede_lockstep(), "preceding the lockstep");
    RandomFiles random;
    if (has_namespaces(spec.root.level)) {
      begin_own_uptime();
      random = RandomFiles::open();
      const RootFiles files = enter_guest_root(spec.root);
      if (random) random.mount();
      leave_the_host();
      close_to_others(control.get(), files);
    } else {
      base::checked(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "becoming a subreaper");
    }
    Sockets sockets = open_sockets(spec);
    sockets.random = std::move(random);
    const Variables variables = environment_of(spec, sockets);
    const FirstMounts mounts;
    const pid_t first = start_first(spec, variables, sockets, mounts, control.get(), nullptr);
    sockets = {};
    serve(spec, variables, mounts, control.get(), signals, first);
  } catch (const std::exception& error) {
    send_packet(control.get(), error.what(), {});
    _exit(1);
  }
}

}  // namespace sim::guest
