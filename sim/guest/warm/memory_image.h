// Takes the memory image of a process (image_layout.h), which waits in a system call.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"

namespace sim::guest::warm {

// What an image depends on, as take_image.py tells it.
struct Manifest {
  std::string interpreter, user_packages;  // CheckedFile and ImageHeader say what they mean
  std::uint64_t children = 0;
  std::vector<std::string> files;
};
Manifest read_manifest(const std::filesystem::path& file);

// Opens a file below a folder that is a guest's root, so that links lead to the guest's files.
// Empty with errno.
base::FileDescriptor open_in_root(int root, const std::string& path, int flags);

// The process has one thread. `root` is its root folder as
// seen from here. Returns a file in memory that nobody can change. Throws std::runtime_error or
// std::system_error that say what is not as an image needs it. The process must end then.
base::FileDescriptor take_memory_image(pid_t process, const std::filesystem::path& root,
                                       const Manifest& manifest);

}  // namespace sim::guest::warm
