#include "sim/guest/sandbox/command.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "sim/guest/file_descriptor.h"
#include "sim/guest/system_call.h"

namespace sim::guest {
namespace {

FileDescriptor temporary_file() {
  return FileDescriptor(checked(memfd_create("output", MFD_CLOEXEC), "making a temporary file"));
}

std::string output_of(const FileDescriptor& file) {
  std::string out;
  std::array<char, 4096> part{};
  for (ssize_t n;
       (n = pread(file.get(), part.data(), part.size(), static_cast<off_t>(out.size()))) > 0;)
    out.append(part.data(), static_cast<std::size_t>(n));
  return out;
}

}  // namespace

std::string run_command(const std::vector<std::string>& words,
                        const std::map<std::string, std::string>& environment) {
  const FileDescriptor output = temporary_file(), errors = temporary_file();
  const pid_t child = checked(fork(), "starting " + words[0]);
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(output.get(), 1);
    dup2(errors.get(), 2);
    for (const auto& [key, value] : environment) setenv(key.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    std::perror(arguments[0]);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) {
    std::string line;
    for (const auto& word : words) line += word + " ";
    throw std::runtime_error(line + "failed: " + output_of(errors));
  }
  return output_of(output);
}

}  // namespace sim::guest
