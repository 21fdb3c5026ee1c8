#include "orchestrator/production/spawn.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cstring>
#include <memory>

namespace spotrun {
namespace {

// This program's environment with the command's own entries in place of those of the same name.
std::vector<std::string> merged_environment(const std::map<std::string, std::string>& own) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    if (!own.contains(text.substr(0, text.find('=')))) merged.push_back(text);
  }
  for (const auto& [name, value] : own) merged.push_back(name + "=" + value);
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

pid_t spawn(const Command& command, int output) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  const std::unique_ptr<posix_spawnattr_t, int (*)(posix_spawnattr_t*)> free_attributes(
      &attributes, posix_spawnattr_destroy);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::unique_ptr<posix_spawn_file_actions_t, int (*)(posix_spawn_file_actions_t*)>
      free_actions(&actions, posix_spawn_file_actions_destroy);

  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (const int signal : {SIGTERM, SIGINT, SIGPIPE}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  if (!command.folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  }
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);

  std::vector<std::string> argv = command.argv;
  std::vector<std::string> environment = merged_environment(command.environment);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, argv.at(0).c_str(), &actions, &attributes,
                                 pointers(argv).data(), pointers(environment).data());
  if (error != 0) {
    throw MachineError(fmt::format("cannot start {}{}: {}", argv[0],
                                   command.folder.empty() ? "" : " in " + command.folder,
                                   std::strerror(error)));
  }
  return pid;
}

}  // namespace spotrun
