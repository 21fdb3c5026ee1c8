// What a guest mounted since its first boot began does not outlive a reboot: a machine finds its
// mounts in /etc/fstab only.
#pragma once

#include "base/files/file_descriptor.h"

namespace sim::guest {

// Kept by a guest's init, which cannot see what is mounted (kernel_settings.h, cover_init()); noted
// and used by its children, the first processes of the guest's boots.
class FirstMounts {
 public:
  FirstMounts();  // throws std::system_error

  // At the first boot, before any program of the guest's runs.
  void note() const;
  // Unmounts everything that was mounted since, the newest first. For later boots.
  void undo_others() const;

 private:
  base::FileDescriptor noted_;  // in memory: the IDs
};

}  // namespace sim::guest
