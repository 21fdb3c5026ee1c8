#include "sim/guest/sandbox/own_copies.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

struct CopiedFolder {
  std::string name;
  int depth = 0;         // levels below it that are copied; 0: the folder alone
  off_t most_bytes = 0;  // of a file that is copied
};

constexpr int kAnyDepth = 64;

std::vector<CopiedFolder> places(const ImageLayers& image) {
  std::vector<CopiedFolder> out{
      {"etc", kAnyDepth, 256 * 1024}, {"var", kAnyDepth}, {"opt", 2}, {"srv", 2}, {"usr/local", 4}};
  for (const char* programs : {"usr/bin", "usr/sbin", "usr/lib", "usr/share"})
    out.push_back({programs});
  for (const User& user : image.users()) out.push_back({user.home().substr(1), kAnyDepth});
  return out;
}

bool is_own(const struct stat& as) { return as.st_uid == geteuid() && as.st_gid == getegid(); }

// Also makes its parent folders.
void make_folder(const fs::path& like, const fs::path& folder) {
  if (fs::exists(folder)) return;
  make_folder(like.parent_path(), folder.parent_path());
  fs::create_directory(folder);
  fs::permissions(folder, fs::status(like).permissions());
}

void take(const fs::path& from, const fs::path& to, off_t most_bytes) {
  struct stat as {};
  if (lstat(from.c_str(), &as) != 0 || is_own(as) || fs::exists(fs::symlink_status(to))) return;
  if (S_ISDIR(as.st_mode)) return make_folder(from, to);
  if (!S_ISREG(as.st_mode) || as.st_size > most_bytes) return;
  if (as.st_size > 0 && access(from.c_str(), R_OK) != 0) return;
  make_folder(from.parent_path(), to.parent_path());
  if (as.st_size > 0)
    fs::copy_file(from, to);
  else
    std::ofstream{to};
  fs::permissions(to, fs::perms(as.st_mode & 07777));
}

}  // namespace

void make_own_copies(const ImageLayers& image, const fs::path& upper) {
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  for (const CopiedFolder& place : places(image))
    for (const fs::path& layer : image.at(place.name)) {
      if (!fs::is_directory(fs::symlink_status(layer))) break;  // it hides lower layers
      take(layer, upper / place.name, 0);
      if (place.depth == 0) continue;
      for (fs::recursive_directory_iterator at(layer, kOptions), end; at != end; ++at) {
        if (at.depth() + 1 >= place.depth) at.disable_recursion_pending();
        const fs::path name = place.name / at->path().lexically_relative(layer);
        const auto all = image.at(name);  // the topmost says what a name is
        if (!all.empty() && all.front() == at->path())
          take(at->path(), upper / name, place.most_bytes);
      }
    }
}

}  // namespace sim::guest
