#include "trainer/gang/hosts.h"

#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "base/files/file_descriptor.h"
#include "base/process/process.h"
#include "base/process/system_call.h"

namespace spottrain {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPortsOfDaemons = "7712-7779";
constexpr std::string_view kAgent = "gang-agent";
// The longest wait for other hosts. Their containers start when their images have arrived.
constexpr std::chrono::minutes kLongestWait{15};
// The time that mpirun gives its ranks between SIGTERM and SIGKILL. It is less than SageMaker's 120
// s.
constexpr const char* kSecondsToStop = "110";

const char* port() {
  const char* other = std::getenv("SPOTTRAIN_GANG_PORT");
  return other != nullptr ? other : "7711";
}

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

// The addresses of a host. Empty if the name does not resolve (yet).
Addresses addresses_of(const char* host, int flags = 0) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = flags;
  if (getaddrinfo(host, port(), &wanted, &found) != 0) found = nullptr;
  return {found, freeaddrinfo};
}

base::FileDescriptor socket_for(const addrinfo& address) {
  return base::FileDescriptor(
      base::checked(socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC, 0), "a socket"));
}

bool is_of(const sockaddr_in& address, const char* host) {
  const Addresses known = addresses_of(host);
  for (const addrinfo* at = known.get(); at != nullptr; at = at->ai_next)
    if (reinterpret_cast<const sockaddr_in*>(at->ai_addr)->sin_addr.s_addr ==
        address.sin_addr.s_addr)
      return true;
  return false;
}

volatile sig_atomic_t told_to_stop = 0;

// Accepts the first host's connection and refuses other connections. Empty if the machine must stop
// before.
base::FileDescriptor wait_for(const std::string& first) {
  const Addresses here = addresses_of(nullptr, AI_PASSIVE);
  if (!here) throw std::runtime_error(fmt::format("gang: found no port {}", port()));
  const base::FileDescriptor door = socket_for(*here);
  const int yes = 1;
  setsockopt(door.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  base::checked(bind(door.get(), here->ai_addr, here->ai_addrlen),
                fmt::format("gang: taking port {}", port()));
  base::checked(listen(door.get(), 8), "gang: listening");
  const auto until = std::chrono::steady_clock::now() + kLongestWait;
  while (std::chrono::steady_clock::now() < until) {
    pollfd caller{door.get(), POLLIN, 0};
    const timespec second{.tv_sec = 1, .tv_nsec = 0};
    const bool called = ppoll(&caller, 1, &second, nullptr) > 0;
    if (told_to_stop) return {};
    if (!called) continue;
    sockaddr_in from{};
    socklen_t size = sizeof from;
    base::FileDescriptor connection(
        accept4(door.get(), reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC));
    if (connection && is_of(from, first.c_str())) return connection;
  }
  throw std::runtime_error("gang: " + first + " has not called");
}

base::FileDescriptor connect_to(const char* host) {
  const auto until = std::chrono::steady_clock::now() + kLongestWait;
  for (;;) {
    if (const Addresses there = addresses_of(host)) {
      base::FileDescriptor connection = socket_for(*there);
      if (connect(connection.get(), there->ai_addr, there->ai_addrlen) == 0) return connection;
    }
    if (std::chrono::steady_clock::now() > until)
      throw std::runtime_error(fmt::format("gang: {} cannot be reached", host));
    std::this_thread::sleep_for(std::chrono::seconds{1});
  }
}

// Reads up to a zero byte. Empty if the other side closes the connection before.
std::optional<std::string> receive(int connection) {
  std::string text;
  char byte = 0;
  for (ssize_t n; (n = read(connection, &byte, 1)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == ECONNRESET) return {};
    if (n < 0) base::throw_errno("gang: reading");
    if (byte == 0) return text;
    text += byte;
  }
  return {};
}

void send_all(int connection, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = send(connection, text.data(), text.size(), MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) base::throw_errno("gang: sending");
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
}

// Runs the command, and returns its exit status. Empty if the caller ended first, which also ends
// the command.
std::optional<int> run_for(int caller, const std::string& command) {
  const pid_t child = base::start_process({.argv = {"/bin/sh", "-c", command}});
  const base::FileDescriptor end(static_cast<int>(
      base::checked(syscall(SYS_pidfd_open, child, 0), "gang: watching a program")));
  pollfd either[] = {{end.get(), POLLIN, 0}, {caller, POLLRDHUP, 0}};
  while (poll(either, 2, -1) < 0 && errno == EINTR) {
  }
  const bool left = either[0].revents == 0;
  if (left) kill(-child, SIGTERM);
  const int status = base::exit_status(base::wait_for_end(child));
  return left ? std::nullopt : std::optional(status);
}

// Runs the commands of the first host. When its daemon runs, mpirun sends SIGTERM to the ranks
// through the daemon. So the container's own SIGTERM must not end the daemon first.
int follow(const Hosts& hosts) {
  struct sigaction note {};
  note.sa_handler = [](int) { told_to_stop = 1; };
  sigaction(SIGTERM, &note, nullptr);
  const base::FileDescriptor caller = wait_for(hosts.all.front());
  if (!caller) return 128 + SIGTERM;
  const std::optional<std::string> command = receive(caller.get());
  if (!command) return 1;
  const std::optional<int> status = run_for(caller.get(), *command);
  if (status) send_all(caller.get(), std::to_string(*status) + '\0');
  return status.value_or(1);
}

[[noreturn]] void lead(const Hosts& hosts, const std::vector<std::string>& arguments) {
  const fs::path self = fs::read_symlink("/proc/self/exe");
  const fs::path beside = self.parent_path() / "spottrain-mpi";
  const std::map<std::string, std::string> parameters{
      {"plm_rsh_agent", fmt::format("{} {}", self.string(), kAgent)},
      {"pml", "ob1"},
      {"btl", "self,vader,tcp"},
      {"oob_tcp_dynamic_ipv4_ports", kPortsOfDaemons},
      {"odls_base_sigkill_timeout", kSecondsToStop}};
  std::vector<std::string> words{"mpirun",    "--allow-run-as-root",
                                 "--bind-to", "none",
                                 "--host",    fmt::format("{}", fmt::join(hosts.all, ","))};
  for (const auto& [name, value] : parameters) words.insert(words.end(), {"--mca", name, value});
  words.push_back(fs::exists(beside) ? beside.string() : "spottrain-mpi");
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  base::throw_errno("a training on several hosts needs Open MPI: starting mpirun");
}

}  // namespace

int train_on(const Hosts& hosts, const std::vector<std::string>& arguments) {
  if (hosts.own == hosts.all.front()) lead(hosts, arguments);
  return follow(hosts);
}

std::optional<int> run_gang_agent(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3 || arguments[0] != kAgent) return {};
  const base::FileDescriptor there = connect_to(arguments[1].c_str());
  const std::string command =
      fmt::format("{}", fmt::join(arguments.begin() + 2, arguments.end(), " "));
  send_all(there.get(), command + '\0');
  const std::optional<std::string> status = receive(there.get());
  return status ? std::atoi(status->c_str()) : 1;
}

}  // namespace spottrain
