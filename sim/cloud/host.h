// What lies under the cloud: the machines that instances run on and the disks behind volumes. The
// cloud calls it; sim/guest implements it; tests have a fake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sim/cloud/container.h"
#include "sim/cloud/resources.h"

namespace sim::cloud {

enum class Shutdown {
  kGraceful,  // SIGTERM, the OS's grace, SIGKILL, a clean unmount
  kHard,      // power off: SIGKILL, filesystems shut down without their log
};

// What a Linux guest on Xen makes of it: "/dev/sdf", "sdf", "/dev/xvdf" → "/dev/xvdf", with an
// optional number 1–15, and "/dev/xvdaa" to "/dev/xvddz"; empty for other names. Two names of one
// attachment point have one guest name (EC2 user guide, "Device names on Linux instances").
std::optional<std::string> guest_device(std::string_view name);
// "/dev/sda1" or "/dev/xvda": the device of an instance's root volume.
bool is_root_device(std::string_view name);
// Both names stand for one attachment point.
bool is_same_device(std::string_view a, std::string_view b);

class Host {
 public:
  virtual ~Host() = default;

  // The machine's operating system is up: start the user data. Called once an instance.
  virtual void boot(const Instance& instance) = 0;
  // Stops the machine; `gone` runs (as an event) when nothing of it runs any more and its volumes
  // are let go. Called at most once, also for instances that never booted.
  virtual void shut_down(const Instance& instance, Shutdown how, std::function<void()> gone) = 0;
  // Restarts the machine's operating system, which is up again after `takes`: what runs ends as at
  // a graceful shutdown; its root disk and its volumes stay. Where nothing runs, nothing ends.
  // `at_rest`, if any, runs when all programs have ended and no volume is mounted. It does not run
  // if the machine ends before that.
  virtual void reboot(const Instance&, Duration /*takes*/, std::function<void()> at_rest) {
    if (at_rest) at_rest();
  }

  // The last of what the machine's console has shown, at most so many bytes; empty where there is
  // none, as of an instance that has not booted.
  virtual std::string console(const InstanceId&, std::size_t) const { return {}; }

  // Containers, on instances that a service manages and that have no user data. The folder is
  // the instance's own, empty at first and gone with it; neither of the two: these guests have
  // none.
  virtual ContainerFolder container_folder(const InstanceId&) { return {}; }
  // Starts the container in place of an operating system; shut_down() ends it. False: these guests
  // can run none.
  virtual bool run_container(const Instance&, const Container&, ContainerHooks) { return false; }
  // Sends SIGTERM to the container's processes, and SIGKILL after the grace. The container's hooks
  // report its end.
  virtual void stop_container(const InstanceId&, Duration /*grace*/) {}

  // Disks. A volume made from a snapshot starts with its bytes. snapshot_disk copies the volume's
  // bytes as they are on the device at this moment (what a guest has not synced is not in it) and
  // returns how many bytes hold data. The volume may be an instance's root, for which create_disk
  // is not called: boot() takes the snapshot that it was made from. A root that outlives its
  // instance (Attachment::delete_on_termination) keeps its content.
  virtual void create_disk(const Volume& volume) = 0;
  virtual void delete_disk(const VolumeId& volume) = 0;
  virtual std::int64_t snapshot_disk(const SnapshotId& snapshot, const VolumeId& volume) = 0;
  // A second snapshot with the bytes of the first.
  virtual void copy_snapshot_disk(const SnapshotId& /*from*/, const SnapshotId& /*to*/) {}
  virtual void delete_snapshot_disk(const SnapshotId& snapshot) = 0;

  // The device appears in the running machine under `device` ("/dev/sdf" appears as /dev/xvdf).
  virtual void plug(const VolumeId& volume, const InstanceId& instance,
                    const std::string& device) = 0;
  // Takes it away; `released` runs (as an event) when the machine no longer uses it: at once when
  // it is not mounted or `force` is set, else when it is unmounted or the machine goes.
  virtual void unplug(const VolumeId& volume, const InstanceId& instance, bool force,
                      std::function<void()> released) = 0;
};

}  // namespace sim::cloud
