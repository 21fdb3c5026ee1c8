#include "sim/guest/process/progress/log_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>

#include "sim/guest/process/files/machine_files.h"

namespace sim::guest {
namespace {

constexpr std::size_t kMostAtOnce = 1 << 20;
constexpr off_t kTail = 1 << 16;

}  // namespace

// Opens regular files only, because reading a FIFO or a terminal would take its data.
base::FileDescriptor LogTail::opened(struct stat& as) const {
  base::FileDescriptor log = open_in(root_, file_, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  return log && fstat(log.get(), &as) == 0 && S_ISREG(as.st_mode) ? std::move(log)
                                                                  : base::FileDescriptor();
}

void LogTail::skip_what_was_mounted() {
  struct stat as {};
  if (!opened(as) || as.st_ino == inode_) return;
  inode_ = as.st_ino;
  seen_ = as.st_size;
}

std::string LogTail::read() {
  struct stat as {};
  const base::FileDescriptor log = opened(as);
  if (!log) return "";
  if (as.st_ino != inode_ || as.st_size < seen_) seen_ = 0;
  inode_ = as.st_ino;
  std::string text;
  // A file may say that it is longer than any memory: what was never written is no text.
  const off_t data = lseek(log.get(), seen_, SEEK_DATA);
  // ext4 sometimes reports a hole for data that was just appended. The end is read anyway.
  const bool hole = data < 0 && errno == ENXIO;
  if (hole) seen_ = std::max(seen_, as.st_size - kTail);
  if (data > seen_) {
    text = '\0';
    seen_ = data;
  }
  std::array<char, 65536> part;
  for (ssize_t n;
       text.size() < kMostAtOnce && (n = pread(log.get(), part.data(), part.size(), seen_)) > 0;
       seen_ += n)
    text.append(part.data(), static_cast<std::size_t>(n));
  if (hole && text.find_first_not_of('\0') == std::string::npos) text.clear();
  return text;
}

std::string FilesWatch::newest_change() {
  if (files_.empty()) return "";
  base::FileDescriptor folder =
      open_in(root_, files_.parent_path(), O_RDONLY | O_DIRECTORY | O_NONBLOCK);
  if (!folder) return "";
  const std::unique_ptr<DIR, int (*)(DIR*)> list(fdopendir(folder.release()), closedir);
  if (!list) return "";
  std::pair<Seen, std::string> newest;
  while (const dirent* const entry = readdir(list.get())) {
    struct stat as {};
    const std::string name = entry->d_name;
    if (fnmatch(files_.filename().c_str(), name.c_str(), FNM_PERIOD) != 0 ||
        fstatat(dirfd(list.get()), name.c_str(), &as, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(as.st_mode) || as.st_size == 0)
      continue;
    const Seen now{std::int64_t{as.st_mtim.tv_sec} * 1'000'000'000 + as.st_mtim.tv_nsec, as.st_ino,
                   as.st_size};
    if (std::exchange(seen_[name], now) != now) newest = std::max(newest, {now, name});
  }
  return newest.second.empty() ? "" : (files_.parent_path() / newest.second).string();
}

}  // namespace sim::guest
