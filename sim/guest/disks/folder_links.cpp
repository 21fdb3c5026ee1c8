#include "sim/guest/disks/folder_links.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

bool leads_to(const fs::path& link, const fs::path& folder) {
  std::error_code gone;
  return fs::read_symlink(link, gone) == folder;
}

}  // namespace

int FolderLinks::link(const fs::path& folder, const fs::path& target) {
  std::error_code error;
  if (fs::is_symlink(target, error)) return EBUSY;
  if (!fs::is_directory(target, error)) return ENOTDIR;
  if (!fs::is_empty(target, error)) return error ? error.value() : ENOTEMPTY;
  fs::remove(target, error);
  if (!error) fs::create_directory_symlink(folder, target, error);
  if (!error) folders_[target] = folder;
  return error.value();
}

bool FolderLinks::unlink(const fs::path& target) {
  const auto at = folders_.find(target);
  if (at == folders_.end()) return false;
  const bool there = leads_to(target, at->second);
  folders_.erase(at);
  if (!there) return false;
  fs::remove(target);
  fs::create_directory(target);
  return true;
}

bool FolderLinks::linked(const fs::path& folder) const {
  for (const auto& [link, of] : folders_)
    if (of == folder && leads_to(link, folder)) return true;
  return false;
}

fs::path path_of(pid_t task, const std::string& written) {
  return (fs::read_symlink("/proc/" + std::to_string(task) + "/cwd") / written).lexically_normal();
}

}  // namespace sim::guest
