// The mounts of a process.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace base {

struct MountEntry {
  int id;  // unique among the current mounts
  dev_t device;
  std::string root;   // the mounted folder of the file system
  std::string point;  // as the process sees it
};
// The mounts in a process's mount namespace, in the order of proc_pid_mountinfo(5); empty when the
// process is gone.
std::vector<MountEntry> mounts_of(pid_t pid);

}  // namespace base
