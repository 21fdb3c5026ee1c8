#include "sim/guest/sandbox/image.h"

#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/process/system_call.h"
#include "sim/guest/sandbox/host_data.h"
#include "sim/guest/sandbox/mounting.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// Top-level folders that are mounted new at each boot, whatever an image has there.
const std::set<std::string> kMountedNew{"dev", "proc", "run", "sys", "tmp"};

std::string top_of(const std::string& path) { return path.substr(0, path.find('/')); }

std::set<std::string> entries_of(const fs::path& folder) {
  std::set<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.insert(entry.path().filename());
  return out;
}

// chown(2) takes set-user-ID from a program.
void give(const fs::path& file, uid_t user) {
  struct stat before {};
  base::checked(lstat(file.c_str(), &before), "looking at " + file.string());
  base::checked(lchown(file.c_str(), user, user), "giving away " + file.string());
  if (S_ISREG(before.st_mode) && (before.st_mode & (S_ISUID | S_ISGID)) != 0)
    base::checked(chmod(file.c_str(), before.st_mode & 07777),
                  "setting the mode of " + file.string());
}

void give_all(const fs::path& folder, uid_t user) {
  give(folder, user);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) give(entry.path(), user);
}

}  // namespace

ImageLayers::ImageLayers(Image image) : image_(std::move(image)) {
  if (!image_.root.empty()) image_.root = fs::canonical(image_.root);
}

// With metacopy, an overlay notes a changed owner in its upper folder and reads the data from
// below. That upper folder then becomes a layer of the guests' overlays, above the image's own. So
// no overlay is on top of an overlay, of which the kernel permits only two.
void ImageLayers::assign_owners(const fs::path& notes) {
  if (image_.root.empty()) return;
  const fs::path owners = notes / "owners", work = notes / "work", shown = notes / "shown";
  for (const fs::path& folder : {owners, work, shown}) fs::create_directories(folder);
  mount_at("overlay", shown, MS_NODEV,
           fmt::format("lowerdir={},upperdir={},workdir={},metacopy=on", escaped_layer(image_.root),
                       owners.string(), work.string()));
  try {
    give_all(shown, 0);
    for (const User& user : image_.users)
      if (const fs::path home = shown.string() + user.home(); fs::is_directory(home))
        give_all(home, user.id);
  } catch (...) {
    umount2(shown.c_str(), MNT_DETACH);
    throw;
  }
  base::checked(umount2(shown.c_str(), 0), "unmounting " + shown.string());
  owners_ = owners;
}

std::set<std::string> ImageLayers::names() const {
  std::set<std::string> out;
  if (image_.host_packages)
    for (const std::string& name : entries_of("/"))
      if (has_programs(name)) out.insert(name);
  if (!image_.root.empty())
    for (const std::string& name : entries_of(image_.root))
      if (!kMountedNew.contains(name)) out.insert(name);
  return out;
}

std::vector<fs::path> ImageLayers::at(const std::string& path) const {
  std::vector<fs::path> out;
  const auto take = [&](const fs::path& layer) {
    std::error_code unreadable;
    if (fs::exists(fs::symlink_status(layer / path, unreadable))) out.push_back(layer / path);
  };
  if (!image_.root.empty() && !kMountedNew.contains(top_of(path))) take(image_.root);
  if (image_.host_packages && has_programs(top_of(path))) take("/");
  return out;
}

std::vector<fs::path> ImageLayers::lower_folders(const std::string& name) const {
  std::vector<fs::path> out;
  for (const fs::path& layer : at(name)) {
    if (!fs::is_directory(fs::symlink_status(layer))) break;  // hides those below
    if (!owners_.empty() && layer == image_.root / name) out.push_back(owners_ / name);
    if (layer == fs::path("/") / name && fs::is_directory(hidden_ / name))
      out.push_back(hidden_ / name);
    out.push_back(layer);
  }
  return out;
}

std::string ImageLayers::overlay_options(Level level) const {
  if (level == Level::kUserNamespaces) return ",userxattr";
  return owners_.empty() ? "" : ",metacopy=on";
}

bool ImageLayers::is_host(const std::string& name) const {
  return at(name) == std::vector<fs::path>{fs::path("/") / name};
}

std::string objection_to(const Image& image) {
  if (image.root.empty() || !image.host_packages) return {};
  for (const std::string& name : entries_of(image.root)) {
    const fs::path host = "/" + name;
    if (fs::is_symlink(host) && fs::is_directory(fs::symlink_status(image.root / name)))
      return fmt::format(
          "{}: found a folder {}, which is a link to {} on this machine: expected its "
          "files there",
          image.root.string(), name, fs::read_symlink(host).string());
  }
  return {};
}

}  // namespace sim::guest
