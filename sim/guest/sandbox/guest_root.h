// The sandbox's file system: the image's files and the host's programs below an overlay, everything
// else of its own.
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
  std::filesystem::path scratch;  // an empty folder of the host to build it on; stays empty there
  std::string hostname;
  ImageLayers image;
  // Path in the guest → host folder, read-only.
  std::map<std::string, std::filesystem::path> binds;
  std::map<std::string, std::filesystem::path> shared;  // the same, and the guest may write there
  // Copies of the host's kernel settings (kernel_settings.h), the same for all guests; empty: the
  // guest sees the host's.
  std::filesystem::path settings;
  // A folder of files, each of which the guest sees in the place of /proc's of that name; empty:
  // none.
  std::filesystem::path kernel_files;
  std::map<std::string, std::string> files;  // path in the guest (below /etc, /var) → contents
  // A file of the host that the guest sees and writes at `console_log`; empty: none.
  std::filesystem::path console, console_log;
  // The disk that the guest sees below its root folder; empty: none.
  std::optional<RootDisk> disk;
  // What another guest of the same image had written (save_root()), which this one begins with;
  // empty: nothing.
  std::filesystem::path restored;
};

// Builds the guest's root and moves into it, in a child with new mount, PID, network and UTS
// namespaces. The top-level folders of the image and the host become overlays. Their upper layer is
// a tmpfs, so the guest's writes do not reach image and host. /dev, /proc, /run, /sys and /tmp are
// new, and so are /root, /home and /mnt if the image lacks them. The host's own mounts are removed.
// Returns the layers that the guest writes to. Throws std::system_error.
RootFiles enter_guest_root(const GuestRoot& root);

}  // namespace sim::guest
