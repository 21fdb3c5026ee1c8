#include "sim/guest/sandbox/kernel_settings.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "base/files/whole_file.h"
#include "base/process/system_call.h"
#include "sim/guest/sandbox/mounting.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSettings = "/proc/sys";
// Where a guest's own copies are mounted below its root; covers of net.core are made of it later.
constexpr const char* kCopies = "var/lib/spotsim/settings";

// Each belongs to a namespace that the guest has for itself. binfmt_misc is a file system.
const std::set<std::string> kOwnSettings{"net", "user", "binfmt_misc"};
// Real though their folder is a copy: of the UTS namespace, and another number at each reading.
constexpr const char* kRealSettings[] = {"kernel/hostname", "kernel/domainname",
                                         "kernel/random/uuid"};

// Of /proc beside its settings: what a write could reach the host by, as container runtimes close
// it.
constexpr const char* kClosed[] = {"bus", "fs", "irq", "mtrr", "sysrq-trigger", "tty", "driver"};
// Files that only describe the host.
constexpr const char* kHiddenFolders[] = {"acpi", "asound", "pressure", "scsi"};
constexpr const char* kHiddenFiles[] = {
    "kcore",       "keys",       "key-users",   "kmsg",        "timer_list", "latency_stats",
    "sched_debug", "kpagecount", "kpageflags",  "kpagecgroup", "buddyinfo",  "pagetypeinfo",
    "schedstat",   "slabinfo",   "vmallocinfo", "zoneinfo"};

// Settings in which the host's kernel counts, and the constant text that guests find there.
constexpr std::pair<const char*, const char*> kCounters[] = {
    {"fs/aio-nr", "0"},
    {"fs/dentry-state", "1024\t0\t45\t0\t0\t0"},
    {"fs/file-nr", "1024\t0\t9223372036854775807"},
    {"fs/inode-nr", "1024\t0"},
    {"fs/inode-state", "1024\t0\t0\t0\t0\t0\t0"},
    {"kernel/ns_last_pid", "64"},
    {"kernel/perf_event_max_sample_rate", "100000"},
    {"kernel/pty/nr", "0"},
    {"kernel/random/entropy_avail", "256"},
    {"kernel/tainted", "0"},
};

void hide_counters(const fs::path& settings) {
  for (const auto& [name, text] : kCounters)
    if (fs::exists(settings / name)) std::ofstream(settings / name) << text << '\n';
}

// Files of /proc and /sys say nothing of their size; write-only ones are not read.
void copy_setting(const fs::path& from, const fs::path& to) {
  struct stat as {};
  if (stat(from.c_str(), &as) != 0) return;
  std::string text;
  if ((as.st_mode & 0444) != 0) {
    std::ifstream in(from, std::ios::binary);
    std::stringstream all;
    if (in) all << in.rdbuf();
    text = all.str();
  }
  std::ofstream out(to, std::ios::binary);
  out << text;
  out.close();
  if (!out) base::throw_errno("writing " + to.string());
  fs::permissions(to, fs::perms(as.st_mode & 0777));
}

void copy_settings(const fs::path& from, const fs::path& to,
                   const std::set<std::string>& without = {}) {
  fs::create_directories(to);
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(from, unreadable)) {
    const std::string name = entry.path().filename();
    if (entry.is_symlink() || without.contains(name)) continue;
    if (entry.is_directory())
      copy_settings(entry.path(), to / name, without);
    else
      copy_setting(entry.path(), to / name);
  }
}

// One that stands for a disk: loop devices and the like only where there is no other.
fs::path any_queue() {
  std::set<fs::path> disks, others;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/sys/block", none)) {
    const std::string name = entry.path().filename();
    const bool other = name.starts_with("loop") || name.starts_with("ram") ||
                       name.starts_with("zram") || name.starts_with("dm-");
    if (fs::is_directory(entry.path() / "queue", none))
      (other ? others : disks).insert(entry.path() / "queue");
  }
  if (!disks.empty()) return *disks.begin();
  return others.empty() ? fs::path() : *others.begin();
}

void cover_with_copy(const std::string& root, const std::string& what) {
  const std::string copy = root + "/" + kCopies + "/" + what;
  if (fs::is_directory(copy) && fs::is_directory(root + "/" + what))
    bind_mount(copy, root + "/" + what, MS_REC);
}

void show_copies(const std::string& root, const fs::path& copies, Level level) {
  for (const char* folder : {"settings", "settings-upper", "settings-work"})
    fs::create_directory(folder);
  const std::string options = "lowerdir=" + copies.string() +
                              ",upperdir=settings-upper,workdir=settings-work" +
                              (level == Level::kUserNamespaces ? ",userxattr" : "");
  const std::string here = root + "/" + kCopies;
  fs::create_directories(here);
  mount_at("overlay", here, MS_NOSUID | MS_NODEV | MS_NOEXEC, options);
  for (const std::string setting : kRealSettings)
    if (fs::exists(here + "/proc/sys/" + setting))
      bind_mount(root + "/proc/sys/" + setting, here + "/proc/sys/" + setting);
  for (const auto& entry : fs::directory_iterator(here + "/proc/sys"))
    if (const std::string name = entry.path().filename(); !kOwnSettings.contains(name))
      cover_with_copy(root, "proc/sys/" + name);
  cover_with_copy(root, "sys/kernel/mm");
  cover_with_copy(root, "sys/block");
  cover_with_copy(root, kDiskNumbers);
  // A disk that libudev finds here has no file system type, because there is no udev to write its
  // database.
  mount_at("tmpfs", root + "/sys/class/block", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
           "mode=555");
}

}  // namespace

void copy_host_settings(const fs::path& to) {
  copy_settings(kSettings, to / "proc/sys", kOwnSettings);
  hide_counters(to / "proc/sys");
  copy_settings("/proc/sys/net/core", to / "proc/sys/net/core");
  copy_settings("/sys/kernel/mm", to / "sys/kernel/mm");
  fs::create_directories(to / kDiskNumbers);
  if (const fs::path queue = any_queue(); !queue.empty())
    copy_settings(queue, to / kDiskSettings / "queue");
}

void restore_settings(const fs::path& root, const fs::path& copies) {
  for (const auto& entry : fs::recursive_directory_iterator(copies)) {
    if (!entry.is_regular_file()) continue;
    const fs::path name = entry.path().lexically_relative(copies);
    const bool real = std::ranges::any_of(
        kRealSettings, [&](const char* own) { return name == fs::path("proc/sys") / own; });
    const auto was = base::read_file(entry.path()), now = base::read_file(root / kCopies / name);
    if (!real && was && now && was != now)
      std::ofstream(root / kCopies / name, std::ios::binary) << *was;
  }
}

void write_boot_id(const fs::path& root, const std::string& id) {
  std::ofstream(root / kCopies / "proc/sys/kernel/random/boot_id") << id << '\n';
}

std::vector<fs::path> folders_of(const fs::path& copies) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(copies))
    if (entry.is_directory()) out.push_back(entry.path().lexically_relative(copies));
  std::ranges::sort(out);
  return out;
}

void cover_kernel(const std::string& root, const fs::path& copies, Level level) {
  const std::string proc = root + "/proc/";
  if (!copies.empty()) show_copies(root, copies, level);
  for (const std::string name : kClosed)
    if (fs::exists(proc + name)) bind_closed(proc + name, proc + name);
  for (const std::string name : kHiddenFiles)
    if (fs::exists(proc + name)) bind_closed("/dev/null", proc + name);
  for (const std::string name : kHiddenFolders)
    if (fs::exists(proc + name))
      mount_at("tmpfs", proc + name, MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=555");
}

void cover_shared_network_settings() {
  const fs::path copies = fs::path("/") / kCopies / "proc/sys/net/core";
  if (!fs::is_directory(copies)) return;
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(copies)) files.insert(entry.path());
  for (const fs::path& copy : files) {
    const fs::path real = "/proc/sys/net/core" / copy.filename();
    struct stat own {};
    struct stat host {};
    if (stat(real.c_str(), &own) == 0 && stat(copy.c_str(), &host) == 0 &&
        (own.st_mode & 0200) < (host.st_mode & 0200))
      bind_mount(copy, real);
  }
}

void cover_init() {
  fs::create_directory("/run/init");
  for (const char* file : {"comm", "stat", "status"})
    copy_setting(std::string("/proc/1/") + file, std::string("/run/init/") + file);
  mount_at("tmpfs", "/proc/1", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=555");
  for (const char* file : {"comm", "stat", "status"})
    copy_setting(std::string("/run/init/") + file, std::string("/proc/1/") + file);
  std::ofstream("/proc/1/cmdline") << "spotsim-init";
  fs::remove_all("/run/init");
  bind_closed("/proc/1", "/proc/1");
}

}  // namespace sim::guest
