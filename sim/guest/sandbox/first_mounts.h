// Removes a guest's mounts at a reboot. On a real machine only the mounts in /etc/fstab survive.
#pragma once

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Records the mounts that exist at the first boot. A guest's init owns it, but cannot see mounts
// (kernel_settings.h, cover_init()). So its children call it, the first processes of the guest's
// boots.
class FirstMounts {
 public:
  FirstMounts();  // throws std::system_error

  // Called at the first boot, before any program of the guest runs.
  void note() const;
  // Called at later boots. Unmounts everything that was mounted since, newest first.
  void undo_others() const;

 private:
  base::FileDescriptor noted_;  // a file in memory with the IDs
};

}  // namespace sim::guest
