// Volumes' folders where a guest without a mount namespace has mounted them: symbolic links.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>

namespace sim::guest {

class FolderLinks {
 public:
  // Puts a link to `folder` in the place of the empty folder `target`. Returns 0 or the errno.
  int link(const std::filesystem::path& folder, const std::filesystem::path& target);
  // Undoes it; false when `target` is no such link.
  bool unlink(const std::filesystem::path& target);
  // Whether a link to the folder is still there: guests may remove it themselves.
  bool linked(const std::filesystem::path& folder) const;

 private:
  std::map<std::filesystem::path, std::filesystem::path> folders_;  // by link
};

// A path as the task wrote it, from the root.
std::filesystem::path path_of(pid_t task, const std::string& written);

}  // namespace sim::guest
