// What is mounted where.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace base {

struct MountEntry {
  int id;  // no other mount has it at the same time
  dev_t device;
  std::string root;   // the folder of the file system that is mounted
  std::string point;  // as the process sees it
};
// What is mounted in a process's mount namespace, in the order of proc_pid_mountinfo(5); empty when
// it is gone.
std::vector<MountEntry> mounts_of(pid_t pid);

}  // namespace base
