#include "sim/guest/sandbox/guest_root.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include "base/system_call.h"
#include "sim/guest/sandbox/kernel_settings.h"
#include "sim/guest/sandbox/mounting.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kUbuntu = 1000;
constexpr const char* kUbuntuHome = "/home/ubuntu";

// Top-level folders that a guest has new and empty, or mounted new.
const std::set<std::string> kNew{"boot", "dev",  "home", "lost+found", "media", "mnt",
                                 "proc", "root", "run",  "sys",        "tmp"};

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

void write_file(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) base::throw_errno("writing " + file.string());
}

// Puts a line for the user ubuntu first, as Ubuntu's images have one: before any of the host's with
// the same number. The "*" instead of "x" spares a line in /etc/shadow.
std::string with_ubuntu(const fs::path& file, const std::string& line) {
  std::string text = contents(file);
  if (text.starts_with("ubuntu:") || text.find("\nubuntu:") != std::string::npos) return text;
  return line + "\n" + text;
}

// What the guest has of its own below /etc and wherever the caller says, written into the upper
// layers before they are mounted: without root the lower layers' owners are not mapped, and could
// not be copied up.
void write_identity(const GuestRoot& root, const fs::path& upper) {
  write_file(upper / "etc/hostname", root.hostname + "\n");
  write_file(upper / "etc/hosts", "127.0.0.1 localhost " + root.hostname + "\n");
  write_file(upper / "etc/resolv.conf", "");
  write_file(upper / "etc/passwd",
             with_ubuntu("/etc/passwd",
                         std::string("ubuntu:*:1000:1000:Ubuntu:") + kUbuntuHome + ":/bin/bash"));
  write_file(upper / "etc/group", with_ubuntu("/etc/group", "ubuntu:*:1000:"));
  if (root.level == Level::kRoot && fs::exists("/etc/sudoers.d")) {
    const auto rule = upper / "etc/sudoers.d/90-cloud-init-users";
    write_file(rule, "ubuntu ALL=(ALL) NOPASSWD:ALL\n");
    fs::permissions(rule, fs::perms::owner_read | fs::perms::group_read);
  }
  for (const auto& [path, text] : root.files) {
    const auto file = upper / fs::path(path).relative_path();
    write_file(file, text);
    if (text.starts_with("#!")) fs::permissions(file, fs::perms(0755));
  }
}

// An overlay's root has the attributes of its upper folder.
void make_upper(const fs::path& upper, const fs::path& lower) {
  fs::create_directories(upper);
  struct stat as {};
  base::checked(stat(lower.c_str(), &as), "looking at " + lower.string());
  base::checked(chmod(upper.c_str(), as.st_mode & 07777), "setting the mode of " + upper.string());
}

void overlay_host_folders(const GuestRoot& root) {
  const std::string extra = root.level == Level::kUserNamespaces ? ",userxattr" : "";
  for (const auto& entry : fs::directory_iterator("/")) {
    const std::string folder = entry.path().filename();
    const fs::path target = fs::path("root") / folder;
    if (entry.is_symlink()) {
      fs::copy_symlink(entry.path(), target);
      continue;
    }
    if (!entry.is_directory() || kNew.contains(folder)) continue;
    if (folder.find_first_of(",:\\") != std::string::npos) continue;  // overlayfs's own separators
    fs::create_directory(target);
    make_upper(fs::path("upper") / folder, entry.path());
    fs::create_directories(fs::path("work") / folder);
    const std::string options =
        "lowerdir=/" + folder + ",upperdir=upper/" + folder + ",workdir=work/" + folder + extra;
    if (mount("overlay", target.c_str(), "overlay", MS_NODEV, options.c_str()) == 0) continue;
    // Without root the kernel refuses a lower folder with the host's mounts below it: show it as it
    // is, to read.
    if (root.level == Level::kRoot) base::throw_errno("mounting the overlay of /" + folder);
    bind_closed("/" + folder, target);
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
  fs::create_directory("root/dev/pts");
  mount_at("devpts", "root/dev/pts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620");
  fs::create_symlink("pts/ptmx", "root/dev/ptmx");
  fs::create_directory("root/dev/shm");
  fs::create_symlink("/proc/self/fd", "root/dev/fd");
  for (const auto& [link, number] :
       {std::pair{"stdin", "0"}, std::pair{"stdout", "1"}, std::pair{"stderr", "2"}})
    fs::create_symlink(std::string("/proc/self/fd/") + number, std::string("root/dev/") + link);
}

void make_new_folders() {
  for (const auto& folder : kNew) fs::create_directories("root/" + folder);
  fs::permissions("root/root", fs::perms(0700));
  fs::create_directory(std::string("root") + kUbuntuHome);
  // Not possible in a user namespace with one user; there ubuntu's home is root's.
  static_cast<void>(!chown((std::string("root") + kUbuntuHome).c_str(), kUbuntu, kUbuntu));
  mount_at("proc", "root/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "");
  if (mount("sysfs", "root/sys", "sysfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr))
    bind_closed("/sys", "root/sys");
}

}  // namespace

void enter_guest_root(const GuestRoot& root) {
  base::checked(mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "separating the mounts");
  mount_at("tmpfs", root.scratch, MS_NODEV, "mode=755");
  base::checked(chdir(root.scratch.c_str()), "entering " + root.scratch.string());
  fs::create_directory("root");
  bind_mount("root", "root");
  write_identity(root, "upper");
  for (const auto& [path, source] : root.binds)  // the folder to mount on
    if (const fs::path top = *std::next(fs::path(path).begin()); fs::is_directory("/" / top))
      fs::create_directories(fs::path("upper") / fs::path(path).relative_path());
  overlay_host_folders(root);
  make_devices();
  make_new_folders();
  cover_kernel("root", root.settings, root.level);
  for (const auto& [path, source] : root.binds) {
    fs::create_directories("root" + path);
    bind_closed(source, "root" + path);
  }
  base::checked(chdir("root"), "entering the new root");
  base::checked(syscall(SYS_pivot_root, ".", "."), "changing the root");
  base::checked(umount2(".", MNT_DETACH), "leaving the old root");
  base::checked(chdir("/"), "entering the new root");
  base::checked(sethostname(root.hostname.data(), root.hostname.size()), "setting the host name");
}

}  // namespace sim::guest
