// The disks behind volumes and snapshots, and their devices in guests. At Level::kRoot a disk is a
// sparse image on a loop device. At other levels it is an image for the device node, for mkfs and
// blkid, and a folder for the files, which guests mount instead. Disks also charges the virtual
// time of transfers (DiskMeter) and writes data back by virtual time (WriteBack). ProcessHost's
// part Devices passes it the guests' calls.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "sim/cloud/resources.h"
#include "sim/guest/disks/disk_image.h"
#include "sim/guest/disks/disk_speed.h"
#include "sim/guest/disks/disk_times.h"
#include "sim/guest/disks/mounts.h"
#include "sim/guest/disks/read_alarm.h"
#include "sim/guest/disks/read_pages.h"
#include "sim/guest/disks/write_back.h"
#include "sim/guest/sandbox/level.h"

namespace sim::guest {

class Disks {
 public:
  // Write-back works at kRoot only, because without namespaces a guest's files are the host's.
  // `read` is called when a guest reads a mounted volume, before the guest continues
  // (read_alarm.h). It is empty without lockstep.
  Disks(Level level, std::filesystem::path folder, WriteBackSettings write_back, DiskTimes& times,
        std::function<void()> read);

  // Errors of the host's file system throw std::system_error or std::filesystem::filesystem_error.
  void create(const cloud::Volume& volume);
  void remove(const cloud::VolumeId& volume);
  // The volume has grown, or has another speed (Host::change_disk).
  void change(const cloud::Volume& volume);
  // Multiplies the time of first reads by `factor` for the next `times` restored volumes.
  void slow_next_restores(double factor, std::int64_t times) { slow_restores_ = {factor, times}; }
  // Delays the volume's I/O until then, in every machine.
  void pause(const cloud::VolumeId& volume, Time until);
  bool paused(const cloud::VolumeId& volume) const {
    return disk(volume).meter.pause_left(now()) > Duration{};
  }
  // Returns the bytes of EBS blocks that hold data.
  std::int64_t snapshot(const cloud::SnapshotId& snapshot, const cloud::VolumeId& volume);
  // Returns the bytes of those blocks that differ from the blocks of `previous`.
  std::int64_t changed(const cloud::SnapshotId& previous, const cloud::SnapshotId& snapshot) const;
  void copy(const cloud::SnapshotId& from, const cloud::SnapshotId& to);
  void remove(const cloud::SnapshotId& snapshot);

  // Overwrites the first 4 KiB of an unplugged volume with zeros, like a failed write.
  void zero_first_block(const cloud::VolumeId& volume);

  // Makes the device (a path below the guest's root, such as "/proc/1/root/dev/xvdf").
  void plug(const cloud::VolumeId& volume, const std::filesystem::path& device);
  // Removes the device. A mounted file system stays usable until it is unmounted.
  void unplug(const cloud::VolumeId& volume);
  // Removes the device and loses unwritten data: file systems that the guest with this init has
  // mounted are shut down. At levels other than kRoot it does the same as unplug.
  void cut_off(const cloud::VolumeId& volume, pid_t init);
  // The volume's block device, at kRoot while the volume is attached.
  std::optional<dev_t> block_device(const cloud::VolumeId& volume) const;
  bool plugged(const cloud::VolumeId& volume) const;
  // At kRoot: an open folder, the root of the file system that the guest with this init has mounted
  // (as from open_root()). Keep it open only for a moment. Empty if it is not mounted.
  base::FileDescriptor open_mounted(const cloud::VolumeId& volume, pid_t init) const;
  // True if the guest with this init has mounted it; at kPlain, if any guest has.
  bool mounted(const cloud::VolumeId& volume, pid_t init) const;
  // True if an open file is on the volume. At kRoot the file's device decides, else its folders.
  bool holds(const cloud::VolumeId& volume, int descriptor) const;
  // Unmounts the volume everywhere in the guest with this init. Programs of the guest must not be
  // running.
  void unmount_all(const cloud::VolumeId& volume, pid_t init);
  // After the guest's end: waits in real time until the kernel has written all mounted data.
  void wait_until_free(const cloud::VolumeId& volume) const;

  // At kRoot, for a guest with this init: mounts the device and writes it back by virtual time from
  // then on. Returns 0 or the errno. Reads of the mount itself are not charged, because the size of
  // the log to replay depends on real time.
  std::optional<int> mount_device(const cloud::VolumeId& volume, const MountCall& call, pid_t init);
  // At kRoot: a guest's remount in the form that the simulator makes. For a remount of the volume,
  // the period of ext4's log stays virtual.
  MountCall remount(const cloud::VolumeId& volume, const MountCall& call);
  // Readable when files of a mounted volume have changed. Call hear() then; hear() returns true
  // after a change.
  int changes() const { return changes_.get(); }
  bool hear();
  // sync(2): writes all mounted data of the volume. Returns the virtual time for it.
  Duration sync(const cloud::VolumeId& volume);
  // Before the task unmounts `target`: the virtual time of writing dirty data and of earlier reads.
  // Zero if the volume is not mounted there.
  Duration unmount_time(const cloud::VolumeId& volume, pid_t task, const std::string& target);
  // Mounts the volume's folder at `target`, as the task wrote the path. For levels other than
  // kRoot, where the kernel mounts. Returns 0 or the errno.
  int mount(const cloud::VolumeId& volume, pid_t task, const std::string& target);
  // At kPlain: undoes mount(). False if `target` is not a volume. At other levels umount2(2) does
  // it.
  bool unmount(pid_t task, const std::string& target);

  // At kRoot: writes to this file wait for the volume from now on, if the file is on it.
  void write_through(const cloud::VolumeId& volume, int descriptor);
  // True if the constructor's `read` is called before done() can become later than `from` again.
  // Reads through a mapping are the exception.
  bool reads_are_told(const cloud::VolumeId& volume) const;
  // At kRoot: the time at which reads since the last call and written-through data are complete, if
  // they begin at `from`. ReadPages counts reads of files. Without a mount the device's counter
  // applies, in units of 8 MiB, because the host's cache answers some repeated reads of blkid, mkfs
  // and mount. Call it only when no program can run.
  Time done(const cloud::VolumeId& volume, Time from);
  // After a sync of this descriptor's file, or of its whole file system: the virtual time for it.
  // Empty if the file is not on the volume.
  std::optional<Duration> synced(const cloud::VolumeId& volume, int descriptor, bool whole);

 private:
  struct Disk {
    DiskMeter meter;
    std::optional<LoopDevice> loop;
    std::filesystem::path device;           // in a guest; empty when unplugged
    std::unique_ptr<WriteBack> write_back;  // of its file system, if one was mounted
    std::unique_ptr<ReadPages> read_pages;  // of the same file system
    std::set<FileId> written_through;       // files on it
    std::int64_t seen = 0;                  // bytes read from the device so far
    std::int64_t uncharged = 0;             // part of them that was read without a mount
    unsigned charges = 0;                   // since opened files were last read
    Time done{};                            // end of the reads before the mount
    bool unmounting = false;
    bool reads_told = false;
  };
  bool is_mounted_at(const Disk& disk, pid_t task, const std::string& target) const;
  Time now() const { return settings_.simulation.now(); }
  WriteBack::TimeOf time_of_files(Disk& disk) const;
  Duration time_of_new_reads(Disk& disk, Duration wait);
  void tell_if_host_dropped();
  std::filesystem::path image(const std::string& id) const { return folder_ / (id + ".img"); }
  std::filesystem::path tree(const std::string& id) const { return folder_ / (id + ".files"); }
  const Disk& disk(const cloud::VolumeId& volume) const;
  Disk& disk(const cloud::VolumeId& volume);

  Level level_;
  std::filesystem::path folder_;
  WriteBackSettings settings_;
  DiskTimes& times_;
  ReadAlarm read_alarm_;
  base::FileDescriptor changes_;  // epoll of all WriteBacks
  std::map<cloud::VolumeId, Disk> disks_;
  FolderLinks links_;  // kPlain's mounts
  SlowRestores slow_restores_;
  long dropped_;
};

}  // namespace sim::guest
