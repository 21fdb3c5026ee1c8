#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include "base/process/process.h"
#include "orchestrator/production/linux_machine.h"

namespace spotrun {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kZeroBytes =
    1 << 20;  // the area with signatures of filesystems, partition tables and LVM
constexpr int kNothingFound = 2;  // blkid(8): no signature
constexpr int kAmbivalent = 8;    // blkid(8): several signatures

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw MachineError(fmt::format("{} {}: {}", what, path, std::strerror(errno)));
}

struct ToolEnd {
  int status;
  std::string text;  // its standard output, without the newlines at its end
};
// The tool's standard error is this program's.
ToolEnd run_tool(const std::vector<std::string>& argv) {
  try {
    base::ProcessEnd end = base::run_process({.argv = argv, .errors = STDERR_FILENO});
    while (end.output.ends_with('\n')) end.output.pop_back();
    return {end.status, std::move(end.output)};
  } catch (const std::runtime_error& error) {
    throw MachineError(error.what());
  }
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// True if the first MiB contains only zeros. A shorter device is read to its end.
bool starts_with_zeros(const std::string& node) {
  std::ifstream device(node, std::ios::binary);
  if (!device) fail("cannot read", node);
  std::vector<char> head(kZeroBytes);
  device.read(head.data(), static_cast<std::streamsize>(head.size()));
  if (device.bad()) fail("cannot read", node);
  head.resize(static_cast<std::size_t>(device.gcount()));
  return std::all_of(head.begin(), head.end(), [](char c) { return c == 0; });
}

// The letter that makes a disk the sixth: "/dev/sdf", "/dev/xvdf" → "f".
std::string disk_letter(const std::string& device) {
  for (const char* prefix : {"/dev/sd", "/dev/xvd"}) {
    if (device.starts_with(prefix)) return device.substr(std::strlen(prefix));
  }
  return "";
}

std::string without_dash(std::string text) {
  std::erase(text, '-');
  return text;
}

// The link that udev(7) makes for an NVMe disk, followed by the volume's ID.
constexpr const char* kLinkById = "/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_";

// The NVMe disk whose serial number is the volume's ID without its dash
// (https://docs.aws.amazon.com/ebs/latest/userguide/identify-nvme-ebs-device.html).
std::optional<std::string> find_nvme(const std::string& root, const std::string& volume_id) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/sys/class/nvme", ignored)) {
    std::ifstream file(entry.path() / "serial");
    std::string serial;
    if (!(file >> serial) || without_dash(serial) != without_dash(volume_id)) continue;
    const std::string node = root + "/dev/" + entry.path().filename().string() + "n1";
    if (fs::exists(node, ignored)) return node;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> LinuxMachine::find_device(const std::string& device,
                                                     const std::string& volume_id) {
  std::error_code ignored;
  if (auto node = find_nvme(root_, volume_id)) return node;
  const std::string by_id = root_ + kLinkById + without_dash(volume_id);
  if (fs::exists(by_id, ignored)) return by_id;
  const std::string letter = disk_letter(device);
  for (const std::string& name : {"/dev/xvd" + letter, "/dev/sd" + letter, device}) {
    if (letter.empty() && name != device) continue;
    if (fs::exists(root_ + name, ignored)) return root_ + name;
  }
  return std::nullopt;
}

DeviceContent LinuxMachine::probe(const std::string& node) {
  using Kind = DeviceContent::Kind;
  if (is_folder(node)) return {Kind::kFilesystem, "none"};
  const ToolEnd blkid = run_tool({"blkid", "--probe", "--output", "value", "--match-tag", "TYPE",
                                  "--usages", "filesystem,raid,crypto,other", node});
  if (blkid.status == 0 && !blkid.text.empty()) return {Kind::kFilesystem, blkid.text};
  if (blkid.status == kAmbivalent) return {Kind::kUnknown, "several filesystems' marks"};
  // A partition table has no TYPE, and a filesystem with a damaged head may be unknown to blkid:
  // only zeros are blank.
  if (blkid.status != 0 && blkid.status != kNothingFound) {
    throw MachineError(fmt::format("blkid {}: exit status {}", node, blkid.status));
  }
  if (!starts_with_zeros(node)) {
    return {Kind::kUnknown, "no known filesystem, but its first MiB is not zero"};
  }
  return {Kind::kBlank, ""};
}

void LinuxMachine::format(const std::string& node, const std::string& filesystem) {
  const ToolEnd made = run_tool({"mkfs." + filesystem, "-q", node});
  if (made.status != 0) {
    throw MachineError(fmt::format("mkfs.{} {}: exit status {}", filesystem, node, made.status));
  }
}

void LinuxMachine::mount(const std::string& node, const std::string& filesystem,
                         const std::string& mount_point) {
  const std::string target = root_ + mount_point;
  std::error_code error;
  if (fs::is_symlink(target, error)) fs::remove(target, error);
  fs::create_directories(target, error);
  if (error) throw MachineError(fmt::format("cannot make {}: {}", target, error.message()));
  const bool folder = is_folder(node);
  if (::mount(node.c_str(), target.c_str(), filesystem.c_str(), folder ? MS_BIND : 0, nullptr) ==
      0) {
    return;
  }
  if (!folder || errno != EPERM) fail("cannot mount " + node + " at", target);
  // remove(2) refuses a folder that is not empty, so the link never hides files.
  if (rmdir(target.c_str()) != 0 || symlink(node.c_str(), target.c_str()) != 0) {
    fail("cannot link " + node + " to", target);
  }
}

void LinuxMachine::unmount(const std::string& mount_point) {
  const std::string target = root_ + mount_point;
  std::error_code ignored;
  sync();
  if (fs::is_symlink(target, ignored)) {
    if (unlink(target.c_str()) != 0) fail("cannot unlink", target);
    return;
  }
  if (umount2(target.c_str(), 0) == 0 || errno == EINVAL || errno == ENOENT) return;
  fail("cannot unmount", target);
}

void LinuxMachine::make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(root_ + path, error);
  if (error) throw MachineError(fmt::format("cannot make {}: {}", root_ + path, error.message()));
}

void LinuxMachine::remove_folder(const std::string& path) {
  std::error_code error;
  fs::remove_all(root_ + path, error);
  if (error) throw MachineError(fmt::format("cannot remove {}: {}", root_ + path, error.message()));
}

bool LinuxMachine::exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(root_ + path, ignored);
}

std::string LinuxMachine::state_of(const std::string& folder) {
  std::set<std::string> files;
  std::error_code ignored;
  const fs::recursive_directory_iterator end;
  for (fs::recursive_directory_iterator at(root_ + folder, ignored); !ignored && at != end;
       at.increment(ignored)) {
    struct stat file {};
    if (lstat(at->path().c_str(), &file) != 0) continue;
    files.insert(fmt::format("{} {} {} {}.{}", at->path().string(), file.st_ino, file.st_size,
                             file.st_mtim.tv_sec, file.st_mtim.tv_nsec));
  }
  return fmt::format("{}", fmt::join(files, "\n"));
}

void LinuxMachine::write_file(const std::string& path, const std::string& text) {
  const std::string full = root_ + path;
  const int file = open(full.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) fail("cannot write", full);
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  // A request to stop does not end this wait. The next wait reports the request.
  int synced = -1;
  while (written && (synced = fsync(file)) != 0 && errno == EINTR) {
  }
  const bool durable = written && synced == 0;
  if (!durable) {
    const int why = errno;
    close(file);
    errno = why;
    fail("cannot write", full);
  }
  close(file);
}

}  // namespace spotrun
