// The sandbox's file system. The image's files and the host's programs are below an overlay. All
// other folders are the guest's own.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "sim/guest/sandbox/image.h"
#include "sim/guest/sandbox/level.h"
#include "sim/guest/sandbox/root_files.h"
#include "sim/guest/sandbox/shown_disk.h"

namespace sim::guest {

struct GuestRoot {
  Level level = Level::kRoot;
  // An empty folder of the host in which the root is built. It stays empty.
  std::filesystem::path scratch;
  std::string hostname;
  ImageLayers image;
  // Path in the guest → host folder that is mounted there, read-only.
  std::map<std::string, std::filesystem::path> binds;
  std::map<std::string, std::filesystem::path> shared;  // the same, but writable
  // Copies of the host's kernel settings (kernel_settings.h), the same for all guests; empty: the
  // guest sees the host's.
  std::filesystem::path settings;
  // A folder of files. Each replaces the file with its name in the guest's /proc. Empty: none.
  std::filesystem::path kernel_files;
  std::map<std::string, std::string> files;  // path in the guest (below /etc, /var) → contents
  // A file of the host that is at `console_log` in the guest, writable. Empty: none.
  std::filesystem::path console, console_log;
  // The guest's root disk in /sys. Empty: none.
  std::optional<RootDisk> disk;
  // A saved root (save_root()) of another guest with the same image, from which this root begins.
  // Empty: none.
  std::filesystem::path restored;
};

// Builds the guest's root and moves into it, in a child with new mount, PID, network and UTS
// namespaces. The top-level folders of the image and the host become overlays. Their upper layer is
// a tmpfs, so the guest's writes do not reach image and host. /dev, /proc, /run, /sys and /tmp are
// new, and so are /root, /home and /mnt if the image lacks them. The host's own mounts are removed.
// Returns the layers that the guest writes to. Throws std::system_error.
RootFiles enter_guest_root(const GuestRoot& root);

}  // namespace sim::guest
