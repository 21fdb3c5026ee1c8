#include "sim/guest/sandbox/shown_disk.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include "base/process/system_call.h"
#include "sim/guest/sandbox/kernel_settings.h"
#include "sim/guest/sandbox/mounting.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSector = 512;
constexpr std::int64_t kFirstSector = 2048;  // of the partition

void write_disk(const fs::path& folder, const ShownDisk& disk) {
  fs::create_directories(folder);
  std::ofstream(folder / "dev") << disk.number << "\n";
  std::ofstream(folder / "size") << disk.bytes / kSector << "\n";
  std::ofstream(folder / "ro") << "0\n";
}

fs::path folder_of(const fs::path& root, const std::string& name) {
  return root / "sys/block" / name;
}

void link_number(const fs::path& root, const std::string& number, const fs::path& folder) {
  std::error_code there;
  fs::create_symlink("../../block" / folder, root / kDiskNumbers / number, there);
}

dev_t parsed(const std::string& number) {
  char* colon = nullptr;
  const auto first = std::strtoul(number.c_str(), &colon, 10);
  return makedev(first, std::strtoul(colon + 1, nullptr, 10));
}

// The kernel opens no device of a file system that is mounted "nodev": whatever the host has under
// this number is out of reach.
void make_closed_node(const std::string& root, const ShownDisk& disk) {
  const fs::path node = fs::path("disks") / disk.name;
  base::checked(mknod(node.c_str(), S_IFBLK | 0660, parsed(disk.number)), "making " + disk.name);
  const std::string shown = root + "/dev/" + disk.name;
  std::ofstream{shown};
  bind_mount(node, shown);
}

}  // namespace

void show_disk(const fs::path& root, const ShownDisk& disk, const fs::path& copies) {
  const fs::path folder = folder_of(root, disk.name);
  write_disk(folder, disk);
  std::ofstream(folder / "removable") << "0\n";
  if (!disk.serial.empty()) {
    fs::create_directory(folder / "device");
    std::ofstream(folder / "device/model") << "Amazon Elastic Block Store\n";
    std::ofstream(folder / "device/serial") << disk.serial << "\n";
  }
  const fs::path queue = copies / kDiskSettings / "queue";
  if (std::error_code none; fs::is_directory(queue, none))
    fs::copy(queue, folder / "queue",
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  link_number(root, disk.number, disk.name);
}

void hide_disk(const fs::path& root, const std::string& name) {
  std::error_code gone;  // with its guest
  fs::remove_all(folder_of(root, name), gone);
  std::vector<fs::path> links;
  for (const auto& entry : fs::directory_iterator(root / kDiskNumbers, gone))
    if (fs::read_symlink(entry, gone).filename() == name) links.push_back(entry);
  for (const fs::path& link : links) fs::remove(link, gone);
}

void show_root_disk(const std::string& root, const RootDisk& shown, const fs::path& copies,
                    Level level) {
  const auto& [disk, partition] = shown;
  if (!copies.empty()) {
    fs::remove_all(root / fs::path(kDiskSettings));
    show_disk(root, disk, copies);
    const fs::path folder = fs::path(disk.name) / partition.name;
    write_disk(folder_of(root, folder), partition);
    std::ofstream(folder_of(root, folder) / "partition") << "1\n";
    std::ofstream(folder_of(root, folder) / "start") << kFirstSector << "\n";
    link_number(root, partition.number, folder);
  }
  if (level != Level::kRoot) return;
  fs::create_directory("disks");
  for (const ShownDisk& each : {disk, partition}) make_closed_node(root, each);
}

}  // namespace sim::guest
