#include "sim/guest/disks/disks.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <fstream>

#include "base/process/system_call.h"
#include "sim/cloud/volume_types.h"
#include "sim/guest/disks/block_placement.h"
#include "sim/guest/disks/disk_image.h"
#include "sim/guest/disks/host_memory.h"
#include "sim/guest/disks/mounts.h"
#include "sim/guest/sandbox/file_tree.h"
#include "sim/guest/time/real_clock.h"
#include "sim/kernel/check.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

// The number of charges after which the names of opened files are taken from the kernel, which
// stores them until then. A look at reads takes them first.
constexpr unsigned kChargesUnheard = 256;
// The bytes charged at a time for a device without a mount. blkid reads 1 MiB to find that a device
// is blank.
constexpr std::int64_t kDeviceReads = 8 * kMebibyte;

struct statx look_at(int descriptor, const fs::path& path) {
  struct statx file {};
  base::checked(
      statx(descriptor, path.c_str(), AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &file),
      "looking at a file " + path.string());
  return file;
}

// The bytes that a file stores, which a sparse file's size does not show.
std::int64_t stored_bytes(const struct statx& file) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(file.stx_size, file.stx_blocks * 512));
}

SyncedFile written_file(const struct statx& file) {
  const auto nanoseconds = [](const statx_timestamp& t) {
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
  };
  return {.inode = file.stx_ino,
          .born = nanoseconds(file.stx_btime),
          .size = S_ISREG(file.stx_mode) ? stored_bytes(file) : 0,
          .modified = nanoseconds(file.stx_mtime)};
}

// The number of pages that the kernel has dropped: under pressure, or by request.
long pages_dropped() { return host_memory("pgsteal_file") + host_memory("drop_pagecache"); }

// Copies a tree and returns the bytes of its files in EBS's blocks.
std::int64_t copy_tree(const fs::path& from, const fs::path& to) {
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  std::int64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(to))
    if (entry.is_regular_file() && !entry.is_symlink())
      bytes += static_cast<std::int64_t>(entry.file_size());
  return in_blocks(bytes);
}

}  // namespace

Disks::Disks(Level level, fs::path folder, WriteBackSettings write_back, DiskTimes& times,
             std::function<void()> read)
    : level_(level),
      folder_(std::move(folder)),
      settings_(std::move(write_back)),
      times_(times),
      read_alarm_(std::move(read)),
      changes_(base::checked(epoll_create1(EPOLL_CLOEXEC), "watching volumes' files")),
      dropped_(pages_dropped()) {
  fs::create_directories(folder_);
}

const Disks::Disk& Disks::disk(const cloud::VolumeId& volume) const {
  const auto at = disks_.find(volume);
  SIM_CHECK(at != disks_.end());
  return at->second;
}
Disks::Disk& Disks::disk(const cloud::VolumeId& volume) {
  return const_cast<Disk&>(std::as_const(*this).disk(volume));
}

void Disks::create(const cloud::Volume& volume) {
  const std::string& id = volume.id.value;
  const std::string& from = volume.snapshot.value;
  const std::int64_t bytes = std::int64_t{volume.size_gib} << 30;
  ColdBlocks cold;
  if (from.empty()) {
    create_sparse(image(id), bytes);
  } else {
    copy_sparse(image(from), image(id));
    cold = ColdBlocks(data_of(image(from)));
    grow(image(id), bytes);
  }
  if (level_ != Level::kRoot) {
    if (from.empty())
      fs::create_directory(tree(id));
    else
      copy_tree(tree(from), tree(id));
  }
  DiskMeter meter(cloud::performance(volume), std::move(cold));
  if (!from.empty())
    if (const auto factor = slow_restores_.next()) meter.slow_first_reads(*factor);
  meter.stands_at(stored_bytes(look_at(AT_FDCWD, image(id))));
  disks_[volume.id].meter = std::move(meter);
}

void Disks::change(const cloud::Volume& volume) {
  Disk& d = disk(volume.id);
  grow(image(volume.id.value), std::int64_t{volume.size_gib} << 30);
  if (d.loop) d.loop->follow_size();
  d.meter.change(now(), cloud::performance(volume));
}

void Disks::remove(const cloud::VolumeId& volume) {
  SIM_CHECK(!plugged(volume));
  disks_.erase(volume);
  fs::remove(image(volume.value));
  fs::remove_all(tree(volume.value));
}

void Disks::pause(const cloud::VolumeId& volume, Time until) {
  Disk& d = disk(volume);
  d.meter.pause(until);
  if (d.write_back) d.write_back->pause(until);
}

std::int64_t Disks::snapshot(const cloud::SnapshotId& snapshot, const cloud::VolumeId& volume) {
  if (Disk& d = disk(volume); d.write_back) d.write_back->before_snapshot();
  std::int64_t bytes = copy_sparse(image(volume.value), image(snapshot.value));
  if (level_ != Level::kRoot) bytes += copy_tree(tree(volume.value), tree(snapshot.value));
  return bytes;
}

std::int64_t Disks::changed(const cloud::SnapshotId& previous,
                            const cloud::SnapshotId& snapshot) const {
  std::int64_t bytes = changed_blocks(image(previous.value), image(snapshot.value));
  if (level_ != Level::kRoot)
    bytes += in_blocks(changed_files(tree(previous.value), tree(snapshot.value)));
  return bytes;
}

void Disks::copy(const cloud::SnapshotId& from, const cloud::SnapshotId& to) {
  copy_sparse(image(from.value), image(to.value));
  if (level_ != Level::kRoot) copy_tree(tree(from.value), tree(to.value));
}

void Disks::remove(const cloud::SnapshotId& snapshot) {
  fs::remove(image(snapshot.value));
  fs::remove_all(tree(snapshot.value));
}

void Disks::zero_first_block(const cloud::VolumeId& volume) {
  if (!disks_.contains(volume) || plugged(volume)) return;
  std::fstream file(image(volume.value), std::ios::in | std::ios::out | std::ios::binary);
  file.write(std::string(4096, '\0').data(), 4096);
}

void Disks::plug(const cloud::VolumeId& volume, const fs::path& device) {
  Disk& d = disk(volume);
  SIM_CHECK(d.device.empty());
  if (level_ == Level::kRoot) {
    d.loop.emplace(image(volume.value));
    d.seen = d.uncharged = 0;
    base::checked(mknod(device.c_str(), S_IFBLK | 0660, d.loop->device()),
                  "making " + device.string());
  } else {
    show_file(image(volume.value), device);
  }
  d.device = device;
}

void Disks::unplug(const cloud::VolumeId& volume) {
  Disk& d = disk(volume);
  if (d.device.empty()) return;
  if (level_ != Level::kRoot) hide_file(d.device);
  std::error_code gone;  // the guest may have ended
  fs::remove(d.device, gone);
  d.device.clear();
  d.write_back.reset();
  d.read_pages.reset();
  d.loop.reset();
}

void Disks::cut_off(const cloud::VolumeId& volume, pid_t init) {
  Disk& d = disk(volume);
  if (!d.loop) return;
  const MountedFileSystem mount{.device = d.loop->device(), .init = init, .point = {}};
  if (!d.write_back)  // perhaps mounted without mount(2)
    d.write_back = std::make_unique<WriteBack>(settings_, mount, std::nullopt, time_of_files(d));
  d.write_back->cut();
}

std::optional<int> Disks::mount_device(const cloud::VolumeId& volume, const MountCall& call,
                                       pid_t init) {
  Disk& d = disk(volume);
  const TimelessMount made = without_timer(call);
  const bool elsewhere_too = d.loop->in_use();
  d.done = std::max({d.done, now(), d.meter.paused_until()});
  d.done += time_of_new_reads(d, d.done - now());
  const std::optional<int> error = guest::mount_device(made.call);
  d.seen = d.loop->bytes_read();
  d.uncharged = 0;
  if (error != 0 || elsewhere_too) return error;
  if (call.filesystem.starts_with("ext") && !place_blocks_on_any_cpu_alike(d.loop->device()))
    settings_.say(
        "volumes: this kernel lets the place of a file's blocks on ext4 depend on the processor "
        "that writes them: what a restored volume takes to read may differ from run to run");
  const MountedFileSystem mount{.device = d.loop->device(), .init = init, .point = {}};
  times_.watch(mount);
  d.reads_told = read_alarm_.watch(mount);
  d.write_back = std::make_unique<WriteBack>(settings_, mount, made.commit, time_of_files(d));
  d.write_back->pause(d.meter.paused_until());
  d.written_through.clear();
  epoll_event heard{.events = EPOLLIN, .data = {.u64 = 0}};
  if (const int changes = d.write_back->descriptor(); changes >= 0)
    base::checked(epoll_ctl(changes_.get(), EPOLL_CTL_ADD, changes, &heard),
                  "watching a volume's files");
  d.read_pages = std::make_unique<ReadPages>(mount, d.meter.io_bytes());
  return 0;
}

bool Disks::hear() {
  bool any = false;
  for (auto& [volume, d] : disks_) any = (d.write_back && d.write_back->hear()) || any;
  return any;
}

Duration Disks::sync(const cloud::VolumeId& volume) {
  Disk& d = disk(volume);
  return d.write_back ? std::max(d.write_back->sync_all(), d.meter.pause_left(now())) : Duration{};
}

bool Disks::is_mounted_at(const Disk& d, pid_t task, const std::string& target) const {
  const fs::path root = "/proc/" + std::to_string(task) + "/root";
  struct stat as {};
  return d.write_back && stat((root / path_of(task, target).relative_path()).c_str(), &as) == 0 &&
         as.st_dev == d.loop->device();
}

MountCall Disks::remount(const cloud::VolumeId& volume, const MountCall& call) {
  Disk& d = disk(volume);
  if (!is_mounted_at(d, call.tid, call.target) || !d.write_back->commits()) return call;
  const TimelessMount made = remount_without_timer(call);
  if (made.commit) d.write_back->commit_every(*made.commit);
  return made.call;
}

Duration Disks::unmount_time(const cloud::VolumeId& volume, pid_t task, const std::string& target) {
  Disk& d = disk(volume);
  if (!is_mounted_at(d, task, target)) return {};
  const Duration reads = time_of_new_reads(d, {});
  d.unmounting = true;
  return std::max({reads, d.write_back->before_unmount(), d.meter.pause_left(now())});
}

WriteBack::TimeOf Disks::time_of_files(Disk& disk) const {
  return [this, &disk](int file) {
    if (disk.read_pages) disk.read_pages->written(file);
    return disk.meter.synced(now(), written_file(look_at(file, ""))) - kSyncLatency;
  };
}

std::optional<dev_t> Disks::block_device(const cloud::VolumeId& volume) const {
  const Disk& d = disk(volume);
  return d.loop ? std::optional(d.loop->device()) : std::nullopt;
}

bool Disks::plugged(const cloud::VolumeId& volume) const { return !disk(volume).device.empty(); }

base::FileDescriptor Disks::open_mounted(const cloud::VolumeId& volume, pid_t init) const {
  const Disk& d = disk(volume);
  if (!d.loop) return {};
  MountedFileSystem mount{.device = d.loop->device(), .init = init, .point = {}};
  return open_root(mount);
}

bool Disks::mounted(const cloud::VolumeId& volume, pid_t init) const {
  const Disk& d = disk(volume);
  if (d.loop) return d.loop->in_use();
  if (level_ == Level::kPlain) return links_.linked(tree(volume.value));
  return is_shown(tree(volume.value), init);
}

bool Disks::holds(const cloud::VolumeId& volume, int descriptor) const {
  const Disk& d = disk(volume);
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return false;
  if (d.loop) return file.st_dev == d.loop->device();
  return level_ != Level::kRoot && is_below(descriptor, tree(volume.value));
}

void Disks::unmount_all(const cloud::VolumeId& volume, pid_t init) {
  const Disk& d = disk(volume);
  if (level_ == Level::kPlain) return links_.unlink_all(tree(volume.value));
  std::vector<base::MountEntry> mounts = base::mounts_of(init);
  std::ranges::reverse(mounts);  // upper mounts first
  for (const base::MountEntry& mount : mounts)
    if (d.loop ? mount.device == d.loop->device() : shows(mount, tree(volume.value)))
      unmount_in(init, mount.point);
}

void Disks::wait_until_free(const cloud::VolumeId& volume) const {
  const Disk& d = disk(volume);
  if (d.loop && !wait_for_kernel([&] { return !d.loop->in_use(); }))
    throw std::runtime_error("the kernel does not let go of " + d.loop->path().string());
}

int Disks::mount(const cloud::VolumeId& volume, pid_t task, const std::string& target) {
  SIM_CHECK(level_ != Level::kRoot);
  if (level_ == Level::kPlain) return links_.link(tree(volume.value), path_of(task, target));
  return show_folder(tree(volume.value), task, target);
}

bool Disks::unmount(pid_t task, const std::string& target) {
  return level_ == Level::kPlain && links_.unlink(path_of(task, target));
}

void Disks::write_through(const cloud::VolumeId& volume, int descriptor) {
  if (Disk& d = disk(volume); d.write_back && holds(volume, descriptor))
    d.written_through.insert(file_id(descriptor));
}

bool Disks::reads_are_told(const cloud::VolumeId& volume) const {
  const Disk& d = disk(volume);
  return d.reads_told && d.read_pages && !d.unmounting && d.written_through.empty();
}

Time Disks::done(const cloud::VolumeId& volume, Time from) {
  Disk& d = disk(volume);
  Time until = std::max(from, std::exchange(d.done, {}));
  if (d.write_back && !d.written_through.empty())
    until = std::max(until, now() + d.write_back->written_through(d.written_through));
  return until + time_of_new_reads(d, until - now());
}

Duration Disks::time_of_new_reads(Disk& d, Duration wait) {
  if (!d.loop) return {};
  if (d.read_pages && ++d.charges % kChargesUnheard == 0) d.read_pages->hear();
  const std::int64_t total = d.loop->bytes_read(), before = std::exchange(d.seen, total);
  // Reads during an unmount are the file system's own.
  if (std::exchange(d.unmounting, false)) {
    if (d.read_pages && !d.read_pages->mounted()) d.read_pages.reset();
    return {};
  }
  if (total == before) return {};
  if (!d.read_pages) {
    d.uncharged += total - before;
    const std::int64_t rest = d.uncharged % kDeviceReads;
    return d.meter.read(now() + wait, std::exchange(d.uncharged, rest) - rest);
  }
  if (d.read_pages->deaf()) return d.meter.read(now() + wait, total - before);
  const PagesRead read = d.read_pages->look(d.meter.has_cold());
  if (total - before - read.bytes >= kMebibyte) tell_if_host_dropped();
  return d.meter.read(now() + wait, read);
}

void Disks::tell_if_host_dropped() {
  const long dropped = pages_dropped();
  if (std::exchange(dropped_, dropped) != dropped)
    settings_.say(
        "read: this machine dropped what it has cached of files (for want of memory, or by "
        "drop_caches) while a guest read: how long that took may differ from run to run");
}

std::optional<Duration> Disks::synced(const cloud::VolumeId& volume, int descriptor, bool whole) {
  Disk& d = disk(volume);
  const struct statx file = look_at(descriptor, "");
  const dev_t device = makedev(file.stx_dev_major, file.stx_dev_minor);
  Duration taken{};
  if (d.loop) {
    if (device != d.loop->device()) return {};
    if (d.write_back && whole) taken = d.write_back->sync_all();
    if (d.write_back && !whole) d.write_back->synced(descriptor);
    if (d.read_pages && !whole) d.read_pages->written(descriptor);
  } else {
    const struct statx own = look_at(AT_FDCWD, image(volume.value));
    if (device != makedev(own.stx_dev_major, own.stx_dev_minor)) return {};
    if (file.stx_ino == own.stx_ino) return d.meter.image_synced(now(), stored_bytes(file));
  }
  return taken + d.meter.synced(now() + taken, written_file(file));
}

}  // namespace sim::guest
