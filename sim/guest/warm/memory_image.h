// Takes the memory image (image_layout.h) of a process that waits in a system call.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "sim/guest/warm/entry_point.h"

namespace sim::guest::warm {

// The dependencies of an image, as take_image.py writes them.
struct Manifest {
  std::string interpreter, user_packages;  // CheckedFile and ImageHeader say what they mean
  std::uint64_t children = 0;
  std::vector<std::string> files;
};
Manifest read_manifest(const std::filesystem::path& file);

// Whether the files on which an image depends are the same below this root folder. False if the
// image is not complete.
bool files_are_unchanged(int image, int root);

// Opens a file below a guest's root folder, so that links lead to the guest's files. On failure it
// returns an empty descriptor, and errno is set.
base::FileDescriptor open_in_root(int root, const std::string& path, int flags);

// Takes the image of a process with one thread. `root` is the process's root folder as a path of
// this process. `at_entry`: of a program at its entry point. Returns a file in memory that nobody
// can change. Throws std::runtime_error or std::system_error if the process cannot be an image. The
// process must end after this call.
base::FileDescriptor take_memory_image(pid_t process, const std::filesystem::path& root,
                                       const Manifest& manifest, const AtEntry* at_entry = nullptr);

}  // namespace sim::guest::warm
