#include "sim/guest/sandbox/file_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/process/system_call.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

class TreeCopy {
 public:
  explicit TreeCopy(dev_t device) : device_(device) {}

  void copy_content(const fs::path& from, const fs::path& to) {
    for (const auto& entry : fs::directory_iterator(from))
      copy(entry.path(), to / entry.path().filename());
  }
  std::int64_t bytes() const { return bytes_; }

 private:
  void copy(const fs::path& from, const fs::path& to) {
    struct stat as {};
    if (lstat(from.c_str(), &as) != 0 || S_ISSOCK(as.st_mode)) return;
    if (S_ISDIR(as.st_mode)) return copy_folder(from, to, as);
    if (fs::exists(fs::symlink_status(to))) return;
    if (as.st_nlink > 1) {
      const auto [known, is_new] = links_.try_emplace(as.st_ino, to);
      if (!is_new) return fs::create_hard_link(known->second, to);
    }
    if (!make(from, to, as)) return;
    copy_attributes(from, to, as);
  }

  // What is mounted in the folder is not copied.
  void copy_folder(const fs::path& from, const fs::path& to, const struct stat& as) {
    const bool is_new = fs::create_directory(to);
    if (as.st_dev == device_) copy_content(from, to);
    if (is_new) copy_attributes(from, to, as);
  }

  // False if the file does not exist any more, or if this user cannot make such a file.
  bool make(const fs::path& from, const fs::path& to, const struct stat& as) {
    std::error_code error;
    if (S_ISREG(as.st_mode)) {
      bytes_ += as.st_size;
      return fs::copy_file(from, to, error);
    }
    if (S_ISLNK(as.st_mode)) {
      fs::copy_symlink(from, to, error);
      return !error;
    }
    return mknod(to.c_str(), as.st_mode, as.st_rdev) == 0;  // overlayfs's whiteouts, too
  }

  static void copy_attributes(const fs::path& from, const fs::path& to, const struct stat& as) {
    base::checked(lchown(to.c_str(), as.st_uid, as.st_gid), "giving away " + to.string());
    if (!S_ISLNK(as.st_mode))
      base::checked(chmod(to.c_str(), as.st_mode & 07777), "setting the mode of " + to.string());
    copy_extended(from, to);
    const timespec times[] = {as.st_atim, as.st_mtim};
    base::checked(utimensat(AT_FDCWD, to.c_str(), times, AT_SYMLINK_NOFOLLOW),
                  "setting the times of " + to.string());
  }

  // Attributes that this user may not set are left out.
  static void copy_extended(const fs::path& from, const fs::path& to) {
    std::vector<char> names(4096), value(65536);
    const ssize_t size = llistxattr(from.c_str(), names.data(), names.size());
    for (ssize_t at = 0; at < size;) {
      const std::string name(names.data() + at);
      at += static_cast<ssize_t>(name.size()) + 1;
      const ssize_t length = lgetxattr(from.c_str(), name.c_str(), value.data(), value.size());
      if (length >= 0)
        static_cast<void>(!!lsetxattr(to.c_str(), name.c_str(), value.data(),
                                      static_cast<std::size_t>(length), 0));
    }
  }

  const dev_t device_;
  std::map<ino_t, fs::path> links_;
  std::int64_t bytes_ = 0;
};

// False if one cannot be read.
bool same_content(const fs::path& a, const fs::path& b) {
  constexpr std::streamsize kBlock = 65536;
  std::vector<char> ours(kBlock), theirs(kBlock);
  std::ifstream one(a, std::ios::binary), other(b, std::ios::binary);
  while (one && other) {
    one.read(ours.data(), kBlock);
    other.read(theirs.data(), kBlock);
    const auto count = one.gcount();
    if (count != other.gcount() || !std::equal(ours.begin(), ours.begin() + count, theirs.begin()))
      return false;
  }
  return one.eof() && other.eof();
}

}  // namespace

std::int64_t copy_files(const fs::path& from, const fs::path& to) {
  struct stat as {};
  base::checked(stat(from.c_str(), &as), "looking at " + from.string());
  TreeCopy copy(as.st_dev);
  copy.copy_content(from, to);
  return copy.bytes();
}

std::int64_t changed_files(const fs::path& previous, const fs::path& folder) {
  const auto is_file = [](const fs::path& path) {
    return fs::is_regular_file(fs::symlink_status(path));
  };
  std::int64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!is_file(entry.path())) continue;
    const fs::path before = previous / entry.path().lexically_relative(folder);
    const auto size = fs::file_size(entry.path());
    if (!is_file(before) || fs::file_size(before) != size || !same_content(before, entry.path()))
      bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

}  // namespace sim::guest
