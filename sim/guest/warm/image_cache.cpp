#include "sim/guest/warm/image_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/process/system_call.h"

namespace sim::guest::warm {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostImages = 8;  // each has some 120 MB
constexpr std::size_t kPart = 1 << 20;
constexpr std::uint64_t kMagic = 0x314547414d495453;

// The end of a file, after the image and the key.
struct Trailer {
  std::uint64_t image_bytes, key_bytes;
  std::uint64_t hash;  // of the image and the key, by XXH3
  std::uint64_t magic;
};

class Hash {
 public:
  Hash() : state_(XXH3_createState(), XXH3_freeState) { XXH3_64bits_reset(state_.get()); }
  void add(const void* from, std::size_t bytes) { XXH3_64bits_update(state_.get(), from, bytes); }
  std::uint64_t value() const { return XXH3_64bits_digest(state_.get()); }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

void write_all(int to, const void* from, std::size_t bytes) {
  const char* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t n = base::checked(write(to, at, bytes), "writing a memory image");
    at += n, bytes -= static_cast<std::size_t>(n);
  }
}

// Copies and hashes the first bytes of a file. Returns false if it has fewer.
bool copy(int from, int to, std::uint64_t bytes, Hash& hash) {
  std::vector<char> part(kPart);
  for (std::uint64_t at = 0; at < bytes;) {
    const ssize_t n = pread(from, part.data(), std::min<std::uint64_t>(kPart, bytes - at),
                            static_cast<off_t>(at));
    if (n <= 0) return false;
    hash.add(part.data(), static_cast<std::size_t>(n));
    write_all(to, part.data(), static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
  return true;
}

bool others_can_change(const struct stat& found) {
  return found.st_uid != geteuid() || (found.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

// Files of root in the folder of another user (HOME under sudo) would be in that user's way.
void make_folder(const fs::path& folder) {
  struct stat found {};
  if (stat(folder.c_str(), &found) == 0) {
    if (found.st_uid != geteuid() && found.st_uid != 0)
      throw std::runtime_error(folder.string() + " belongs to another user");
    return;
  }
  make_folder(folder.parent_path());
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    base::throw_errno("making " + folder.string());
}

// Not in any folder. Empty if this process may not mount it, or if the kernel has no large pages.
base::FileDescriptor mount_with_large_pages() {
  const auto of = [](long result) { return base::FileDescriptor(static_cast<int>(result)); };
  const base::FileDescriptor tmpfs = of(syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC));
  if (!tmpfs || syscall(SYS_fsconfig, tmpfs.get(), FSCONFIG_SET_STRING, "huge", "always", 0) != 0 ||
      syscall(SYS_fsconfig, tmpfs.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
    return {};
  return of(
      syscall(SYS_fsmount, tmpfs.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV));
}

constexpr const char* kInMount = "image";

base::FileDescriptor file_in_memory() {
  return base::FileDescriptor(base::checked(
      memfd_create("aws-image", MFD_CLOEXEC | MFD_ALLOW_SEALING), "making a file in memory"));
}

base::FileDescriptor sealed(base::FileDescriptor file) {
  base::checked(
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL),
      "sealing a memory image");
  return file;
}

bool is_image(const fs::path& file) {
  const std::string name = file.filename();
  return name.starts_with("aws-") && name.find(".image") != name.npos;
}

void remove_oldest(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> images;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(folder, gone))
    if (is_image(entry.path())) images.emplace_back(entry.last_write_time(gone), entry.path());
  std::ranges::sort(images, std::greater{});
  for (std::size_t i = kMostImages; i < images.size(); ++i) fs::remove(images[i].second, gone);
}

}  // namespace

ImageInMemory::ImageInMemory() : mount_(mount_with_large_pages()) {
  if (mount_)
    file_ = base::FileDescriptor(
        openat(mount_.get(), kInMount, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0500));
  if (file_) return;
  mount_ = {};
  file_ = file_in_memory();
}

base::FileDescriptor ImageInMemory::finish() {
  if (!mount_) return sealed(std::move(file_));
  base::FileDescriptor image(base::checked(openat(mount_.get(), kInMount, O_RDONLY | O_CLOEXEC),
                                           "opening a memory image"));
  file_ = {};
  // The root user of a guest could open the file again to write to it. The kernel refuses (EBUSY)
  // while anybody has the file open for writing, such as a child process before its exec.
  mount_attr read_only{};
  read_only.attr_set = MOUNT_ATTR_RDONLY;
  if (syscall(SYS_mount_setattr, mount_.get(), "", AT_EMPTY_PATH, &read_only, sizeof read_only) ==
      0)
    return image;
  base::FileDescriptor copied = file_in_memory();
  while (base::checked(sendfile(copied.get(), image.get(), nullptr, kPart),
                       "copying a memory image") > 0) {
  }
  return sealed(std::move(copied));
}

fs::path cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  fs::path folder;
  if (cache != nullptr && *cache == '/')
    folder = fs::path(cache) / "spotsim";
  else if (home != nullptr && *home == '/')
    folder = fs::path(home) / ".cache/spotsim";
  else
    throw std::runtime_error("neither XDG_CACHE_HOME nor HOME is set");
  make_folder(folder);
  struct stat found {};
  base::checked(stat(folder.c_str(), &found), "looking at " + folder.string());
  if (others_can_change(found))
    throw std::runtime_error("other users can change the files of " + folder.string());
  return folder;
}

std::string machine_and_program() {
  std::string out;
  utsname name{};
  if (uname(&name) == 0) out = fmt::format("{} {}\n", name.release, name.version);
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line) && !line.empty();)
    if (line.starts_with("model name") || line.starts_with("flags")) out += line + "\n";
  struct stat program {};
  base::checked(stat("/proc/self/exe", &program), "looking at the running program");
  return out + fmt::format("{} bytes of {}.{:09}\n", program.st_size, program.st_mtim.tv_sec,
                           program.st_mtim.tv_nsec);
}

ImageCache::ImageCache(fs::path folder, std::string key) : key_(std::move(key)) {
  file_ = folder / fmt::format("aws-{:016x}.image", XXH3_64bits(key_.data(), key_.size()));
}

base::FileDescriptor ImageCache::find() const {
  const base::FileDescriptor kept(open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat found {};
  if (!kept || fstat(kept.get(), &found) != 0 || !S_ISREG(found.st_mode) ||
      others_can_change(found))
    return {};
  Trailer trailer{};
  const auto end = static_cast<std::uint64_t>(found.st_size);
  if (end < key_.size() + sizeof trailer ||
      pread(kept.get(), &trailer, sizeof trailer, found.st_size - off_t{sizeof trailer}) !=
          sizeof trailer ||
      trailer.magic != kMagic || trailer.key_bytes != key_.size() ||
      trailer.image_bytes != end - key_.size() - sizeof trailer)
    return {};
  std::string key(key_.size(), '\0');
  if (pread(kept.get(), key.data(), key.size(), static_cast<off_t>(trailer.image_bytes)) !=
          static_cast<ssize_t>(key.size()) ||
      key != key_)
    return {};
  ImageInMemory out;
  Hash hash;
  if (!copy(kept.get(), out.descriptor(), trailer.image_bytes, hash)) return {};
  hash.add(key.data(), key.size());
  if (hash.value() != trailer.hash) return {};
  utimensat(AT_FDCWD, file_.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);  // for remove_oldest
  return out.finish();
}

void ImageCache::keep(int image) const {
  struct stat found {};
  base::checked(fstat(image, &found), "looking at a memory image");
  std::string part = file_.string() + ".XXXXXX";
  const base::FileDescriptor out(base::checked(mkostemp(part.data(), O_CLOEXEC), "making " + part));
  try {
    Hash hash;
    Trailer trailer{static_cast<std::uint64_t>(found.st_size), key_.size(), 0, kMagic};
    if (!copy(image, out.get(), trailer.image_bytes, hash))
      base::throw_errno("reading a memory image");
    hash.add(key_.data(), key_.size());
    trailer.hash = hash.value();
    write_all(out.get(), key_.data(), key_.size());
    write_all(out.get(), &trailer, sizeof trailer);
    base::checked(rename(part.c_str(), file_.c_str()), "renaming " + part);
  } catch (...) {
    unlink(part.c_str());
    throw;
  }
  remove_oldest(file_.parent_path());
}

}  // namespace sim::guest::warm
