#include "sim/guest/sandbox/host_data.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <set>
#include <string_view>
#include <vector>

#include "base/process/system_call.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> kPrograms{"bin", "etc", "gnu",  "lib",  "lib32", "lib64", "libx32",
                                      "nix", "opt", "sbin", "snap", "usr",   "var"};
// People and services keep data here, too. Everybody may read nix, gnu and snap.
constexpr const char* kMixed[] = {"etc", "opt", "usr/local", "var"};
// Data that every user may read.
const std::set<fs::path> kData{"var/backups", "var/crash", "var/mail", "var/tmp", "var/www"};
constexpr std::string_view kLogs = "var/log/";  // programs need the folders there, not the files
const std::set<fs::path> kNeeded{"etc/sudoers", "etc/sudoers.d"};

bool is_data(const fs::path& path, const struct stat& as) {
  constexpr mode_t kReadable = S_IROTH | S_IXOTH;
  if (kData.contains(path)) return true;
  if (S_ISDIR(as.st_mode)) return (as.st_mode & kReadable) != kReadable;
  if (!S_ISREG(as.st_mode)) return false;
  return (as.st_mode & kReadable) == 0 || path.native().starts_with(kLogs);
}

// Guests see the attributes of the layer's folders, so the layer copies them from the host.
class Layer {
 public:
  explicit Layer(const fs::path& layer) : layer_(layer) {}

  // On its own file system only: an overlay does not show what is mounted below.
  void look_through(const fs::path& folder) {
    struct stat here {};
    if (lstat(("/" / folder).c_str(), &here) != 0 || !S_ISDIR(here.st_mode)) return;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/" / folder, gone)) {
      const fs::path path = folder / entry.path().filename();
      struct stat as {};
      if (kNeeded.contains(path) || lstat(entry.path().c_str(), &as) != 0 ||
          as.st_dev != here.st_dev)
        continue;
      if (is_data(path, as))
        S_ISDIR(as.st_mode) ? empty(path) : remove(path);
      else if (S_ISDIR(as.st_mode))
        look_through(path);
    }
  }

  // Last, because each file that is made in a folder changes the folder's time.
  void set_times() const {
    for (const fs::path& folder : folders_) {
      struct stat as {};
      if (lstat(("/" / folder).c_str(), &as) != 0) continue;
      const timespec times[] = {as.st_atim, as.st_mtim};
      utimensat(AT_FDCWD, (layer_ / folder).c_str(), times, 0);
    }
  }

 private:
  void make_folder(const fs::path& folder) {
    if (folder.empty() || !folders_.insert(folder).second) return;
    make_folder(folder.parent_path());
    const fs::path made = layer_ / folder;
    struct stat as {};
    base::checked(lstat(("/" / folder).c_str(), &as), "looking at /" + folder.string());
    fs::create_directory(made);
    base::checked(chown(made.c_str(), as.st_uid, as.st_gid), "giving away " + made.string());
    base::checked(chmod(made.c_str(), as.st_mode & 07777), "setting the mode of " + made.string());
  }

  void empty(const fs::path& folder) {
    make_folder(folder);
    base::checked(setxattr((layer_ / folder).c_str(), "trusted.overlay.opaque", "y", 1, 0),
                  "hiding /" + folder.string());
  }

  void remove(const fs::path& file) {
    make_folder(file.parent_path());
    base::checked(mknod((layer_ / file).c_str(), S_IFCHR, 0), "hiding /" + file.string());
  }

  const fs::path layer_;
  std::set<fs::path> folders_;
};

}  // namespace

bool has_programs(const std::string& name) { return kPrograms.contains(name); }

void hide_host_data(const fs::path& layer) {
  Layer hidden(layer);
  for (const char* folder : kMixed) hidden.look_through(folder);
  hidden.set_times();
}

}  // namespace sim::guest
