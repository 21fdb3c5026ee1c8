// A service's processes: how they are started, how their output is read, and how they are found.
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/files/whole_file.h"
#include "sim/guest/services/service.h"

namespace sim::guest::services {
namespace {

namespace fs = std::filesystem;

// systemd's exit statuses for programs that could not be started.
enum { kNoFolder = 200, kNoProgram = 203, kNoOutput = 209, kNoGroup = 216, kNoUser = 217 };

constexpr const char* kInvocation = "INVOCATION_ID";

struct User {
  std::string name, home, shell;
  uid_t number;
  gid_t group;
};

// "append:/var/log/x" → opened; "null", "journal" and the like by their meaning.
int open_output(const std::string& where, int pipe, int console) {
  const auto colon = where.find(':');
  const std::string kind = where.substr(0, colon);
  if (kind == "append" || kind == "file" || kind == "truncate") {
    const int how = kind == "append" ? O_APPEND : kind == "truncate" ? O_TRUNC : 0;
    return open(where.substr(colon + 1).c_str(), O_WRONLY | O_CREAT | how, 0644);
  }
  if (where == "null") return open("/dev/null", O_WRONLY);
  if (where == "tty" || where.ends_with("console")) return console;
  return pipe;
}

// Of the guest's own file; getpwnam(3) would load libraries of the host's name services.
std::optional<User> user_of(const std::string& name) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(fopen("/etc/passwd", "re"), fclose);
  while (const passwd* entry = file ? fgetpwent(file.get()) : nullptr)
    if (name == entry->pw_name || name == std::to_string(entry->pw_uid))
      return User{entry->pw_name, entry->pw_dir, entry->pw_shell, entry->pw_uid, entry->pw_gid};
  return {};
}

void become(const UnitFile& file, const std::optional<User>& user) {
  std::vector<gid_t> groups;
  std::optional<gid_t> named;
  const std::unique_ptr<FILE, int (*)(FILE*)> list(fopen("/etc/group", "re"), fclose);
  while (const group* entry = list ? fgetgrent(list.get()) : nullptr) {
    if (file.group == entry->gr_name || file.group == std::to_string(entry->gr_gid))
      named = entry->gr_gid;
    for (char** member = entry->gr_mem; user && *member; ++member)
      if (user->name == *member) groups.push_back(entry->gr_gid);
  }
  if (!file.group.empty() && !named) _exit(kNoGroup);
  const gid_t group = named.value_or(user ? user->group : getgid());
  groups.push_back(group);
  if (user && user->number != getuid() && setgroups(groups.size(), groups.data()) != 0)
    _exit(kNoGroup);
  if (group != getgid() && setgid(group) != 0) _exit(kNoGroup);
  if (user && user->number != getuid() && setuid(user->number) != 0) _exit(kNoUser);
}

void enter_folder(const std::string& wanted, const std::optional<User>& user) {
  const bool may_fail = wanted.starts_with('-');
  std::string folder = may_fail ? wanted.substr(1) : wanted;
  if (folder == "~") folder = user ? user->home : "/root";
  if (chdir(folder.empty() ? "/" : folder.c_str()) != 0 && !may_fail) _exit(kNoFolder);
}

}  // namespace

Environment Service::environment_for() const {
  Environment out = world_.environment;
  for (const auto& [key, value] : file_.environment) out[key] = value;
  for (const std::string& named : file_.environment_files) {
    const bool may_fail = named.starts_with('-');
    const auto text = base::read_file(may_fail ? named.substr(1) : named);
    if (!text) continue;
    for (const auto& [key, value] : read_environment_file(*text)) out[key] = value;
  }
  out[kInvocation] = invocation_;
  if (main_ != 0) out["MAINPID"] = std::to_string(main_);
  return out;
}

void Service::open_pipe() {
  if (pipe_) return;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  pipe_ = base::FileDescriptor(ends[0]);
  pipe_in_ = base::FileDescriptor(ends[1]);
  fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
}

pid_t Service::spawn(const CommandLine& command) {
  open_pipe();
  Environment environment = environment_for();
  const std::optional<User> user = file_.user.empty() ? std::nullopt : user_of(file_.user);
  if (user) {
    environment.insert({{"HOME", user->home},
                        {"USER", user->name},
                        {"LOGNAME", user->name},
                        {"SHELL", user->shell}});
  }
  // No signal of the child's may reach the manager's handlers, which it has until its program runs.
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  const pid_t child = fork();
  if (child != 0) {
    sigprocmask(SIG_SETMASK, &none, nullptr);
    return std::max(child, 0);
  }
  setsid();
  for (const int handled : {SIGTERM, SIGCHLD}) signal(handled, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (!file_.user.empty() && !user) _exit(kNoUser);
  const int console = dup(STDOUT_FILENO);
  const int output = open_output(file_.output, pipe_in_.get(), console);
  const int errors = file_.errors == "inherit" || file_.errors == file_.output
                         ? output
                         : open_output(file_.errors, pipe_in_.get(), console);
  if (output < 0 || errors < 0) _exit(kNoOutput);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  become(file_, user);
  enter_folder(file_.folder, user);
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  std::vector<std::string> words = expanded(command, environment), settings;
  for (const auto& [key, value] : environment) settings.push_back(key + "=" + value);
  std::vector<char*> arguments, variables;
  for (auto& word : words) arguments.push_back(word.data());
  for (auto& setting : settings) variables.push_back(setting.data());
  arguments.push_back(nullptr);
  variables.push_back(nullptr);
  if (!words.empty()) {
    environ = variables.data();
    execvp(arguments[0], arguments.data());
  }
  _exit(kNoProgram);
}

// Without cgroups: by the variable that all of a service's processes inherit.
std::vector<pid_t> Service::processes() const {
  const std::string wanted = std::string(kInvocation) + "=" + invocation_ + '\0';
  std::vector<pid_t> out;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc", gone)) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 1 || pid == getpid() || pid == main_ || pid == control_) continue;
    const std::string variables = base::read_file(entry.path() / "environ").value_or("");
    const auto at = variables.find(wanted);
    if (at == 0 || (at != variables.npos && variables[at - 1] == '\0')) out.push_back(pid);
  }
  for (const pid_t known : {main_, control_})  // it may not have started its program yet
    if (known > 0) out.push_back(known);
  std::ranges::sort(out);
  return out;
}

void Service::hear() {
  if (!pipe_) return;
  char part[65536];
  for (ssize_t n; (n = read(pipe_.get(), part, sizeof part)) > 0;)
    unfinished_.append(part, static_cast<std::size_t>(n));
  std::string who = file_.identifier;
  if (who.empty() && !file_.start.empty())
    who = fs::path(file_.start[0].words[0]).filename().string();
  if (main_ != 0) who += "[" + std::to_string(main_) + "]";
  std::size_t begin = 0;
  for (std::size_t end; (end = unfinished_.find('\n', begin)) != unfinished_.npos; begin = end + 1)
    world_.log(name_, who, unfinished_.substr(begin, end - begin));
  unfinished_.erase(0, begin);
}

}  // namespace sim::guest::services
