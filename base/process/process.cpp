#include "base/process/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/files/file_descriptor.h"
#include "base/process/system_call.h"

namespace base {
namespace {

// This program's environment, in which the launch's entries replace those of the same name.
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

FileDescriptor temporary_file() {
  return FileDescriptor(checked(memfd_create("output", MFD_CLOEXEC), "making a temporary file"));
}

std::string content_of(const FileDescriptor& file) {
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t n;
       (n = pread(file.get(), part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
    text.append(part.data(), static_cast<std::size_t>(n));
  return text;
}

}  // namespace

pid_t start_process(const Launch& launch) {
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
  if (!launch.folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, launch.folder.c_str());
  }
  const std::array streams{launch.input, launch.output, launch.errors};
  for (int stream = 0; stream < 3; ++stream) {
    const int descriptor = streams[static_cast<std::size_t>(stream)];
    if (descriptor >= 0) posix_spawn_file_actions_adddup2(&actions, descriptor, stream);
  }

  std::vector<std::string> argv = launch.argv;
  std::vector<std::string> environment = merged_environment(launch.environment);
  pid_t child = -1;
  const int error = posix_spawnp(&child, argv.at(0).c_str(), &actions, &attributes,
                                 pointers(argv).data(), pointers(environment).data());
  if (error == 0) return child;
  const std::string where = launch.folder.empty() ? "" : " in " + launch.folder;
  throw std::runtime_error("cannot start " + argv[0] + where + ": " + std::strerror(error));
}

int wait_for_end(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

int exit_status(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

ProcessEnd run_process(Launch launch) {
  const FileDescriptor nothing(
      checked(open("/dev/null", O_RDONLY | O_CLOEXEC), "opening /dev/null"));
  if (launch.input < 0) launch.input = nothing.get();
  FileDescriptor output, errors;
  if (launch.output < 0) launch.output = (output = temporary_file()).get();
  if (launch.errors < 0) launch.errors = (errors = temporary_file()).get();
  const int status = exit_status(wait_for_end(start_process(launch)));
  return {status, content_of(output), content_of(errors)};
}

}  // namespace base
