#include "sim/guest/sandbox/guest_root.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <set>
#include <vector>

#include "base/process/system_call.h"
#include "sim/guest/sandbox/accounts.h"
#include "sim/guest/sandbox/kernel_settings.h"
#include "sim/guest/sandbox/mounting.h"
#include "sim/guest/sandbox/own_copies.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// Top-level folders that are there on every machine.
constexpr const char* kAlways[] = {"boot", "etc",  "home", "media", "mnt",
                                   "opt",  "root", "srv",  "usr",   "var"};
// Mounted new.
constexpr const char* kMounted[] = {"proc", "run", "sys", "tmp"};

void write_file(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  fs::remove(file);  // it may be a link, or a mark of overlayfs that it was removed
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) base::throw_errno("writing " + file.string());
}

// visudo(8) wants 0440 of sudo's rules; a text that begins as a script is one.
std::optional<fs::perms> mode_of(const fs::path& path, const std::string& text) {
  if (path.parent_path() == "/etc/sudoers.d") return fs::perms(0440);
  if (text.starts_with("#!")) return fs::perms(0755);
  return {};
}

// The name and the addresses of a guest, which a restored root has of the guest before it.
bool is_of_one_guest(const fs::path& path) {
  return path == "/etc/hostname" || path == "/etc/hosts" || path == "/etc/resolv.conf";
}

// Writes the guest's own files into the upper layers before they are mounted: files below /etc, and
// those that the caller names. Without root the owners of the lower layers are not mapped, so a
// mounted overlay could not copy their files up. A restored guest keeps its changes to the image's
// files, except for its name and addresses.
void write_identity(const GuestRoot& root, const fs::path& upper) {
  write_file(upper / "etc/hostname", root.hostname + "\n");
  write_file(upper / "etc/hosts", "127.0.0.1 localhost " + root.hostname + "\n");
  write_file(upper / "etc/resolv.conf", "");
  const bool restored = !root.restored.empty();
  if (!restored) write_accounts(root.image, upper, root.level);
  if (!root.console.empty()) write_file(upper / root.console_log.relative_path(), "");
  for (const auto& [path, text] : root.files) {
    const auto file = upper / fs::path(path).relative_path();
    if (restored && !is_of_one_guest(path) && fs::exists(fs::symlink_status(file))) continue;
    write_file(file, text);
    if (const auto mode = mode_of(path, text)) fs::permissions(file, *mode);
  }
  if (root.level == Level::kUserNamespaces && !restored) make_own_copies(root.image, upper);
}

// An overlay's root has the attributes of its upper folder.
void make_upper(const fs::path& upper, const fs::path& lower) {
  fs::create_directories(upper);
  struct stat as {};
  base::checked(stat(lower.c_str(), &as), "looking at " + lower.string());
  base::checked(chmod(upper.c_str(), as.st_mode & 07777), "setting the mode of " + upper.string());
}

void overlay_folder(const GuestRoot& root, const std::string& name) {
  const std::vector<fs::path> layers = root.image.lower_folders(name);
  const fs::path target = fs::path("root") / name, upper = fs::path("upper") / name;
  fs::create_directory(target);
  if (layers.empty()) {  // all of it is written by us, or nothing: then it is no mount, either
    if (fs::exists(upper)) bind_mount(upper, target);
    return;
  }
  make_upper(upper, layers.back());
  fs::create_directories(fs::path("work") / name);
  std::string options = "upperdir=" + upper.string() + ",workdir=work/" + name + ",lowerdir=";
  for (const fs::path& layer : layers)
    options += (layer == layers.front() ? "" : ":") + escaped_layer(layer);
  options += root.image.overlay_options(root.level);
  if (mount("overlay", target.c_str(), "overlay", MS_NODEV, options.c_str()) == 0) return;
  // Without root the kernel refuses a lower folder with the host's mounts below it: show it as it
  // is, to read.
  if (root.level == Level::kRoot || !root.image.is_host(name))
    base::throw_errno("mounting the overlay of /" + name);
  bind_closed("/" + name, target);
}

// Those of the root folder's entries that are folders are mounted, others are copied.
void lay_out(const GuestRoot& root) {
  std::set<std::string> names = root.image.names();
  names.insert(std::begin(kAlways), std::end(kAlways));
  for (const std::string& name : names) {
    if (name.find_first_of(",:\\") != std::string::npos) continue;  // overlayfs's own separators
    const std::vector<fs::path> layers = root.image.at(name);
    if (layers.empty() || fs::is_directory(fs::symlink_status(layers.front())))
      overlay_folder(root, name);
    else if (fs::is_symlink(layers.front()) || !root.image.is_host(name))
      fs::copy(layers.front(), fs::path("root") / name, fs::copy_options::copy_symlinks);
  }
}

void make_devices() {
  fs::create_directory("root/dev");
  mount_at("tmpfs", "root/dev", MS_NOSUID, "mode=755");
  for (const char* device : {"null", "zero", "full", "random", "urandom", "tty"}) {
    const std::string target = std::string("root/dev/") + device;
    std::ofstream{target};
    // Closed, which the device itself is not: its mode and owner are the host's.
    bind_closed(std::string("/dev/") + device, target);
  }
  // The host reads everything that is written there, as from a serial line.
  base::checked(mkfifo("root/dev/console", 0600), "making /dev/console");
  fs::create_directory("root/dev/pts");
  mount_at("devpts", "root/dev/pts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620");
  fs::create_symlink("pts/ptmx", "root/dev/ptmx");
  fs::create_directory("root/dev/shm");
  fs::create_symlink("/proc/self/fd", "root/dev/fd");
  for (const auto& [link, number] :
       {std::pair{"stdin", "0"}, std::pair{"stdout", "1"}, std::pair{"stderr", "2"}})
    fs::create_symlink(std::string("/proc/self/fd/") + number, std::string("root/dev/") + link);
}

void mount_new_folders() {
  for (const char* name : kMounted) fs::create_directory(std::string("root/") + name);
  mount_at("proc", "root/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "");
  if (mount("sysfs", "root/sys", "sysfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr))
    bind_closed("/sys", "root/sys");
}

// lsblk(8), df(1) and findmnt(8) know what lies on a disk by the name that it was mounted by.
void mount_root(const GuestRoot& root) {
  fs::create_directory("root");
  if (!root.disk) return bind_mount("root", "root");
  const std::string device = "/dev/" + root.disk->partition.name;
  base::checked(mount(device.c_str(), "root", "tmpfs", MS_NODEV, "mode=755"), "mounting the root");
}

base::FileDescriptor open_folder(const char* folder) {
  return base::FileDescriptor(base::checked(open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC),
                                            std::string("opening ") + folder));
}

}  // namespace

RootFiles enter_guest_root(const GuestRoot& root) {
  base::checked(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "separating the mounts");
  mount_at("tmpfs", root.scratch, MS_NODEV, "mode=755");
  base::checked(chdir(root.scratch.c_str()), "entering " + root.scratch.string());
  mount_root(root);
  fs::create_directories("upper/root");
  fs::permissions("upper/root", fs::perms(0700));
  if (!root.restored.empty()) restore_upper(root.restored, "upper");
  write_identity(root, "upper");
  for (const auto* folders : {&root.binds, &root.shared})
    for (const auto& [path, source] : *folders)  // the folder to mount on
      fs::create_directories(fs::path("upper") / fs::path(path).relative_path());
  lay_out(root);
  make_devices();
  mount_new_folders();
  cover_kernel("root", root.settings, root.level);
  if (root.disk) show_root_disk("root", *root.disk, root.settings, root.level);
  if (!root.kernel_files.empty())
    for (const auto& file : fs::directory_iterator(root.kernel_files))
      bind_closed(file.path(), "root/proc/" + file.path().filename().string());
  for (const auto& [path, source] : root.binds) {
    fs::create_directories("root" + path);
    bind_closed(source, "root" + path);
  }
  for (const auto& [path, source] : root.shared) {
    fs::create_directories("root" + path);
    bind_mount(source, "root" + path);
  }
  if (!root.console.empty()) bind_mount(root.console, "root" + root.console_log.string());
  if (!root.restored.empty()) restore_top(root.restored, "root");
  RootFiles files{.upper = open_folder("upper"), .top = open_folder("root")};
  base::checked(chdir("root"), "entering the new root");
  base::checked(syscall(SYS_pivot_root, ".", "."), "changing the root");
  base::checked(umount2(".", MNT_DETACH), "leaving the old root");
  base::checked(chdir("/"), "entering the new root");
  base::checked(sethostname(root.hostname.data(), root.hostname.size()), "setting the host name");
  return files;
}

}  // namespace sim::guest
