// Mounts in a guest, seen and made from the host.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "base/mount_table.h"
#include "sim/guest/time/supervisor.h"

namespace sim::guest {

// A file system that a guest has mounted, and where it was last found.
struct MountedFileSystem {
  dev_t device = 0;
  pid_t init = 0;  // the guest's
  std::filesystem::path point;
};
// A folder of it, for a moment: while that is open the guest cannot unmount. Empty when it is
// mounted nowhere.
base::FileDescriptor open_root(MountedFileSystem& mounted);

// A regular file of the host as a file of a guest: a link at kPlain, where the guest's folder is
// the host's, else a file bind-mounted into the guest whose root `device` lies below
// ("/proc/PID/root/dev/xvdf").
void show_file(const std::filesystem::path& file, const std::filesystem::path& device);
void hide_file(const std::filesystem::path& device);

// A guest's mount(2) of a real device, with an XFS mounted whatever its UUID: guests draw UUIDs
// from the run's seed, so two runs side by side make twins, and the kernel refuses the second twin
// (xfs(5), "nouuid"), without its device nodes, and never one whose errors stop the machine
// (ext4(5), "errors=panic"). Returns 0 or the errno; empty when the call asks for anything but a
// new mount of a file system that lies on a device.
std::optional<int> mount_device(const MountCall& call);
// A guest's mount(2) with MS_REMOUNT: with the host's rights where the target lies on one of the
// guest's own disks, else with the guest's; device nodes stay without effect. Returns 0 or the
// errno.
int remount(const MountCall& call, const std::vector<dev_t>& own_disks);

// For a guest's mount(2) of a folder at `target`, as the task wrote it: a bind mount. Returns 0 or
// the errno.
int show_folder(const std::filesystem::path& folder, pid_t task, const std::string& target);
// Whether a folder is mounted in the guest with this init, and whether this is such a mount.
bool is_shown(const std::filesystem::path& folder, pid_t init);
bool shows(const base::MountEntry& mount, const std::filesystem::path& folder);
// In the guest with this init.
void unmount_in(pid_t init, const std::string& point);

// Whether an open file or folder is in the folder, however that is mounted.
bool is_below(int descriptor, const std::filesystem::path& folder);

// At kPlain, where guests have no mount namespace: symbolic links to volumes' folders.
class FolderLinks {
 public:
  // Puts a link to `folder` in the place of the empty folder `target`. Returns 0 or the errno.
  int link(const std::filesystem::path& folder, const std::filesystem::path& target);
  // Undoes it; false when `target` is no such link.
  bool unlink(const std::filesystem::path& target);
  void unlink_all(const std::filesystem::path& folder);
  // Whether a link to the folder is still there: guests may remove it themselves.
  bool linked(const std::filesystem::path& folder) const;

 private:
  std::map<std::filesystem::path, std::filesystem::path> folders_;  // by link
};

// A path as the task wrote it, from the root.
std::filesystem::path path_of(pid_t task, const std::string& written);

}  // namespace sim::guest
