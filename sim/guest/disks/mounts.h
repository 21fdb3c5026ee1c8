// Mounts in a guest, seen and made from the host.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/mount_table.h"
#include "sim/guest/time/supervisor.h"

namespace sim::guest {

// A file system that a guest has mounted, and where it was last found.
struct MountedFileSystem {
  dev_t device = 0;
  pid_t init = 0;  // the guest's
  std::filesystem::path point;
};
// A folder of the file system. The guest cannot unmount while it is open, so keep it open only for
// a moment. Empty if it is mounted nowhere.
base::FileDescriptor open_root(MountedFileSystem& mounted);

// Shows a regular file of the host as a file of a guest. At kPlain, where the guest's folder is the
// host's, it is a link. Otherwise it is bind-mounted into the guest whose root is above `device`
// ("/proc/PID/root/dev/xvdf").
void show_file(const std::filesystem::path& file, const std::filesystem::path& device);
void hide_file(const std::filesystem::path& device);

// Makes a guest's mount(2) of a real device, with three changes. An XFS mounts whatever its UUID
// (xfs(5), "nouuid"): two runs with one seed make equal UUIDs, and the kernel would refuse the
// second. Device nodes on it have no effect. Errors never stop the machine (ext4(5),
// "errors=panic"). Returns 0 or the errno. Empty if the call is anything but a new mount of a file
// system on a device.
std::optional<int> mount_device(const MountCall& call);
// A guest's mount(2) with MS_REMOUNT. It has the host's rights if the target is on one of the
// guest's own disks, else the guest's. Device nodes stay without effect. Returns 0 or the errno.
int remount(const MountCall& call, const std::vector<dev_t>& own_disks);

// For a guest's mount(2) of a folder at `target`, as the task wrote the path: makes a bind mount.
// Returns 0 or the errno.
int show_folder(const std::filesystem::path& folder, pid_t task, const std::string& target);
// True if the folder is mounted in the guest with this init. The second function tells whether
// `target` is such a mount.
bool is_shown(const std::filesystem::path& folder, pid_t init);
bool shows(const base::MountEntry& mount, const std::filesystem::path& folder);
// In the guest with this init.
void unmount_in(pid_t init, const std::string& point);

// True if an open file or folder is in `folder`, however that is mounted.
bool is_below(int descriptor, const std::filesystem::path& folder);

// At kPlain, where guests have no mount namespace: symbolic links to volumes' folders.
class FolderLinks {
 public:
  // Replaces the empty folder `target` by a link to `folder`. Returns 0 or the errno.
  int link(const std::filesystem::path& folder, const std::filesystem::path& target);
  // Undoes link(). False if `target` is no such link.
  bool unlink(const std::filesystem::path& target);
  void unlink_all(const std::filesystem::path& folder);
  // True if a link to the folder still exists. Guests may remove it themselves.
  bool linked(const std::filesystem::path& folder) const;

 private:
  std::map<std::filesystem::path, std::filesystem::path> folders_;  // by link
};

// A path as the task wrote it, from the root.
std::filesystem::path path_of(pid_t task, const std::string& written);

}  // namespace sim::guest
