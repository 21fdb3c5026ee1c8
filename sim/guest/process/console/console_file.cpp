#include "sim/guest/process/console/console_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/process/system_call.h"
#include "sim/guest/sandbox/mounting.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// What programs may write between two looks of the host.
constexpr off_t kMostUnread = off_t{64} << 20;
constexpr off_t kPage = 65536;  // the largest that Linux has

base::FileDescriptor open_new(const fs::path& file, int how) {
  return base::FileDescriptor(
      base::checked(open(file.c_str(), how | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644),
                    "opening " + file.string()));
}

}  // namespace

ConsoleFile::ConsoleFile(fs::path folder, const fs::path& kept, bool bounded) {
  if (!bounded) {
    path_ = kept;
    file_ = open_new(kept, O_WRONLY);
    return;
  }
  fs::create_directories(folder);
  mount_at("tmpfs", folder, MS_NOSUID | MS_NODEV | MS_NOEXEC,
           fmt::format("mode=755,nr_inodes=8,size={}", kMostKept + kMostUnread));
  mounted_ = std::move(folder);
  path_ = mounted_ / "log";
  file_ = open_new(path_, O_RDWR);
  kept_ = base::FileDescriptor(
      base::checked(open(kept.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644),
                    "opening " + kept.string()));
}

ConsoleFile::~ConsoleFile() {
  if (!mounted_.empty()) umount2(mounted_.c_str(), MNT_DETACH);
}

bool ConsoleFile::copy(off_t read) {
  struct stat as {};
  if (!kept_ || fstat(file_.get(), &as) != 0 || as.st_size == seen_) return false;
  if (as.st_size < seen_) {  // the guest has emptied it
    seen_ = 0;
    given_back_ = kMostKept;
    static_cast<void>(!ftruncate(kept_.get(), 0));
    lseek(kept_.get(), 0, SEEK_SET);
  }
  keep(std::min(as.st_size, kMostKept));
  seen_ = as.st_size;
  if (seen_ <= kMostKept) return false;
  give_back(std::min(seen_, read));
  if (std::exchange(full_, true)) return false;
  const std::string note = fmt::format(
      "\n[spotsim: the rest is not kept, a console has {} MiB at most]\n", kMostKept >> 20);
  static_cast<void>(!write(kept_.get(), note.data(), note.size()));
  return true;
}

void ConsoleFile::keep(off_t size) {
  for (off_t at = seen_; at < size;)  // 0: it was emptied just now
    if (base::checked(sendfile(kept_.get(), file_.get(), &at, static_cast<std::size_t>(size - at)),
                      "writing a console's file") == 0)
      return;
}

void ConsoleFile::give_back(off_t read) {
  const off_t end = read / kPage * kPage;
  if (end <= given_back_) return;
  fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, given_back_,
            end - given_back_);
  given_back_ = end;
}

}  // namespace sim::guest
