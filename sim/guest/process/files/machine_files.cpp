#include "sim/guest/process/files/machine_files.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sim::guest {

namespace fs = std::filesystem;

base::FileDescriptor open_in(const fs::path& root, const fs::path& path, int flags) {
  const base::FileDescriptor top(open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!top) return {};
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  return base::FileDescriptor(
      static_cast<int>(syscall(SYS_openat2, top.get(), path.c_str(), &how, sizeof how)));
}

base::FileDescriptor open_nearest_folder(const fs::path& root, const fs::path& path) {
  for (fs::path part = path.lexically_normal();; part = part.parent_path()) {
    base::FileDescriptor folder = open_in(root, part, O_PATH | O_DIRECTORY);
    if (folder || part == part.parent_path()) return folder;
  }
}

}  // namespace sim::guest
