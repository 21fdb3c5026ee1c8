// The disks behind volumes and snapshots, and their devices in guests. At Level::kRoot a disk is a
// sparse image on a loop device; else an image for the device node (mkfs and blkid work on it) and
// a folder for the files, which is what gets mounted.
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
  // Written back at kRoot only; without namespaces of its own a guest's files are the host's.
  // `read`: called when a guest reads a mounted volume, before it goes on (read_alarm.h). Empty:
  // not in lockstep.
  Disks(Level level, std::filesystem::path folder, WriteBackSettings write_back, DiskTimes& times,
        std::function<void()> read);

  // Errors of the host's file system are std::system_error or std::filesystem::filesystem_error.
  void create(const cloud::Volume& volume);
  void remove(const cloud::VolumeId& volume);
  // First reads of the next so many volumes that are made of snapshots take so much longer.
  void slow_next_restores(double factor, std::int64_t times) { slow_restores_ = {factor, times}; }
  // The volume's I/O waits until then, in any machine.
  void pause(const cloud::VolumeId& volume, Time until);
  bool paused(const cloud::VolumeId& volume) const {
    return disk(volume).meter.pause_left(now()) > Duration{};
  }
  // Returns the bytes of EBS's blocks that hold data.
  std::int64_t snapshot(const cloud::SnapshotId& snapshot, const cloud::VolumeId& volume);
  void copy(const cloud::SnapshotId& from, const cloud::SnapshotId& to);
  void remove(const cloud::SnapshotId& snapshot);

  // Where it is not plugged: zeros in place of its first 4 KiB, as of a write that went wrong.
  void zero_first_block(const cloud::VolumeId& volume);

  // Makes the device (a path below the guest's root, such as "/proc/1/root/dev/xvdf").
  void plug(const cloud::VolumeId& volume, const std::filesystem::path& device);
  // Takes the device away. What the guest has mounted stays usable until it is unmounted.
  void unplug(const cloud::VolumeId& volume);
  // Takes it away without what is not on it: file systems on it, mounted in the guest with this
  // init, are shut down. Only at kRoot; else the same as unplug.
  void cut_off(const cloud::VolumeId& volume, pid_t init);
  // The volume's block device, at kRoot while it is attached.
  std::optional<dev_t> block_device(const cloud::VolumeId& volume) const;
  bool plugged(const cloud::VolumeId& volume) const;
  // At kRoot: the root of its file system, which the guest with this init has mounted, for a
  // moment, as open_root() has it; empty: it has not.
  base::FileDescriptor open_mounted(const cloud::VolumeId& volume, pid_t init) const;
  // The guest with this init has mounted it, or at kPlain any guest.
  bool mounted(const cloud::VolumeId& volume, pid_t init) const;
  // Whether an open file is on it. At kRoot by its device, else by the folders that it is in.
  bool holds(const cloud::VolumeId& volume, int descriptor) const;
  // Unmounts the volume everywhere in the guest with this init. No program of the guest may be
  // running.
  void unmount_all(const cloud::VolumeId& volume, pid_t init);
  // After the guest's end: waits in real time until the kernel has written what was mounted.
  void wait_until_free(const cloud::VolumeId& volume) const;

  // At kRoot, for a guest with this init: mounts its device, and writes it back by virtual time
  // from here on. Returns 0 or the errno. What mounting reads is not charged, for how much of a log
  // there is to replay depends on when the kernel wrote in real time.
  std::optional<int> mount_device(const cloud::VolumeId& volume, const MountCall& call, pid_t init);
  // At kRoot, a guest's remount as it is to be made in its place: where it is one of the volume,
  // the period of ext4's log is virtual time's as before.
  MountCall remount(const cloud::VolumeId& volume, const MountCall& call);
  // Readable when a mounted volume's files have changed; then call hear(), which is true if it read
  // any change.
  int changes() const { return changes_.get(); }
  bool hear();
  // sync(2): all that is mounted of the volume. Returns the virtual time it takes.
  Duration sync(const cloud::VolumeId& volume);
  // Before the task unmounts `target`: the virtual time that it takes to write what is dirty, and
  // what was read took, if that is where the volume is mounted.
  Duration unmount_time(const cloud::VolumeId& volume, pid_t task, const std::string& target);
  // Not at kRoot, where the kernel does it: mounts the volume's folder at `target`, as the task
  // wrote it. Returns 0 or the errno.
  int mount(const cloud::VolumeId& volume, pid_t task, const std::string& target);
  // At kPlain: undoes it; false when `target` is no volume. Elsewhere umount2(2) does it.
  bool unmount(pid_t task, const std::string& target);

  // At kRoot: what is written to this file from here on waits for the volume, if it is on it.
  void write_through(const cloud::VolumeId& volume, int descriptor);
  // Whether the constructor's `read` is called before done() can be later than `from` again, except
  // for reads through a mapping.
  bool reads_are_told(const cloud::VolumeId& volume) const;
  // At kRoot: when that is done what was read since the last call, if it begins at `from`, and what
  // was written through. Reads of files are ReadPages's; of the device itself, while nothing is
  // mounted, its counter's, in wholes of 8 MiB: what blkid, mkfs and mount read and read again
  // comes from the host's cache or not, as the host likes. To be called when no program can run.
  Time done(const cloud::VolumeId& volume, Time from);
  // After a sync of this descriptor's file, or of its whole file system: the virtual time it takes;
  // empty when the file is not on the volume.
  std::optional<Duration> synced(const cloud::VolumeId& volume, int descriptor, bool whole);

 private:
  struct Disk {
    DiskMeter meter;
    std::optional<LoopDevice> loop;
    std::filesystem::path device;           // in a guest; empty when unplugged
    std::unique_ptr<WriteBack> write_back;  // of its file system, if one was mounted
    std::unique_ptr<ReadPages> read_pages;  // likewise
    std::set<FileId> written_through;       // on it
    std::int64_t seen = 0;                  // bytes that the device has read
    std::int64_t uncharged = 0;             // of those, while nothing was mounted
    unsigned charges = 0;                   // since what was opened was heard
    Time done{};                            // what was read before the mount
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
  base::FileDescriptor changes_;  // epoll, of all that is written back
  std::map<cloud::VolumeId, Disk> disks_;
  FolderLinks links_;  // kPlain's mounts
  SlowRestores slow_restores_;
  long dropped_;
};

}  // namespace sim::guest
