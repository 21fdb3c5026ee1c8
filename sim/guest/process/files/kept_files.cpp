#include "sim/guest/process/files/kept_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <set>
#include <system_error>

#include "sim/guest/process/files/machine_files.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// The paths in the machine that the pattern names.
std::set<fs::path> files_of(const fs::path& root, const fs::path& pattern) {
  base::FileDescriptor folder =
      open_in(root, pattern.parent_path(), O_RDONLY | O_DIRECTORY | O_NONBLOCK);
  if (!folder) return {};
  const std::unique_ptr<DIR, int (*)(DIR*)> list(fdopendir(folder.get()), closedir);
  if (!list) return {};
  folder.release();
  std::set<fs::path> names;
  while (const dirent* const entry = readdir(list.get()))
    if (fnmatch(pattern.filename().c_str(), entry->d_name, FNM_PERIOD) == 0)
      names.insert(pattern.parent_path() / entry->d_name);
  return names;
}

// False: it is no regular file, or cannot be read.
bool copy_end(const fs::path& root, const fs::path& path, const fs::path& to) {
  const base::FileDescriptor from = open_in(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  struct stat as {};
  if (!from || fstat(from.get(), &as) != 0 || !S_ISREG(as.st_mode)) return false;
  std::error_code failed;
  fs::create_directories(to.parent_path(), failed);
  std::ofstream out(to, std::ios::binary);
  std::array<char, 65536> part;
  off_t at = std::max<off_t>(0, as.st_size - kMostKeptBytes);
  const off_t end = at + kMostKeptBytes;  // the machine may still write
  while (out && at < end) {
    const auto most = std::min<off_t>(std::ssize(part), end - at);
    const ssize_t n = pread(from.get(), part.data(), static_cast<std::size_t>(most), at);
    if (n <= 0) break;
    out.write(part.data(), n);
    at += n;
  }
  return true;
}

}  // namespace

void keep_files(const fs::path& root, const std::vector<std::string>& patterns,
                const fs::path& folder) {
  int kept = 0;
  for (const std::string& pattern : patterns)
    for (const fs::path& path : files_of(root, fs::path(pattern).lexically_normal()))
      if (kept < kMostKeptFiles) kept += copy_end(root, path, folder / path.relative_path());
}

}  // namespace sim::guest
