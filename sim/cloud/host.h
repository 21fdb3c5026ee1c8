// The interface to the machines under the cloud. Instances run on these machines, and their disks
// hold the volumes. sim/guest implements it with processes and with models, and tests have a fake.
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
  kGraceful,  // SIGTERM, the OS's grace period, SIGKILL, a clean unmount
  kHard,      // power off: SIGKILL; file systems end without writing their log
};

// The name of a device in a Linux guest on Xen. "/dev/sdf", "sdf" and "/dev/xvdf" become
// "/dev/xvdf", with an optional number 1–15; "/dev/xvdaa" to "/dev/xvddz" remain. Empty for other
// names. Two names of one attachment point have the same result (EC2 user guide, "Device names on
// Linux instances").
std::optional<std::string> guest_device(std::string_view name);
// "/dev/sda1" or "/dev/xvda": the device of an instance's root volume.
bool is_root_device(std::string_view name);
// Whether both names are the same attachment point.
bool is_same_device(std::string_view a, std::string_view b);

// The machines and disks of one cloud. The cloud calls these functions when a resource reaches a
// state; the implementation reports completion through callbacks, which it runs as events.
class Host {
 public:
  virtual ~Host() = default;

  // The operating system is up and starts the user data. Called once per instance.
  virtual void boot(const Instance& instance) = 0;
  // Stops the machine. `gone` runs as an event when all its programs have ended and its volumes are
  // released. Called at most once, also for an instance that never booted.
  virtual void shut_down(const Instance& instance, Shutdown how, std::function<void()> gone) = 0;
  // Restarts the machine's operating system, which is up again after `takes`. Programs end as at a
  // graceful shutdown; the root disk and the volumes remain. `at_rest` runs when all programs have
  // ended and no volume is mounted. It does not run if the machine ends before that.
  virtual void reboot(const Instance&, Duration /*takes*/, std::function<void()> at_rest) {
    if (at_rest) at_rest();
  }

  // Ends the machine's programs as at such a shutdown and keeps its disks, until start_again() or
  // shut_down(). `at_rest` runs when all programs have ended and no volume is mounted. It does not
  // run if the machine ends before that. A hibernated machine continues for this.
  virtual void halt(const Instance&, Shutdown, std::function<void()> at_rest) { at_rest(); }
  // Starts a halted machine's operating system, which is up after `takes`. It finds its root disk
  // and the volumes that were plugged in before this call. User data that runs once for each
  // instance does not run again.
  virtual void start_again(const Instance&, Duration /*takes*/) {}

  // Freezes the machine's programs where they are, until resume() or shut_down(). Their memory, and
  // all disks and mounted volumes, remain. `at_rest` runs when no program runs any more. A machine
  // whose operating system is not up, as during a reboot, halts instead.
  virtual void hibernate(const Instance&, std::function<void()> at_rest) { at_rest(); }
  // Lets the programs of a hibernated machine continue. Starts the operating system if it halted.
  virtual void resume(const Instance&) {}

  // The last bytes of the machine's console, at most this many. Empty if there are none, as before
  // boot.
  virtual std::string console(const InstanceId&, std::size_t) const { return {}; }

  // How long the machine's programs computed in [from, to), which is over, as far as virtual time
  // passed for it.
  virtual Duration computing_time(const InstanceId&, Time /*from*/, Time /*to*/) const {
    return {};
  }

  // Containers run on instances that a service manages and that have no user data. The folder
  // belongs to the instance; it is empty at first and ends with it. A ContainerFolder with neither
  // member means that these guests have no containers.
  virtual ContainerFolder container_folder(const InstanceId&) { return {}; }
  // Starts the container instead of an operating system; shut_down() ends it. False if these guests
  // cannot run containers.
  virtual bool run_container(const Instance&, const Container&, ContainerHooks) { return false; }
  // Sends SIGTERM to the container's processes, and SIGKILL after the grace. The container's hooks
  // report its end.
  virtual void stop_container(const InstanceId&, Duration /*grace*/) {}

  // Disks. A volume made from a snapshot starts with its bytes. snapshot_disk copies the bytes that
  // are on the device now, and returns how many bytes hold data. Data that a guest has not synced
  // is not copied. The volume may be an instance's root. create_disk is not called for a root:
  // boot() takes the snapshot from which it was made. A root that outlives its instance
  // (Attachment::delete_on_termination) keeps its content.
  virtual void create_disk(const Volume& volume) = 0;
  virtual void delete_disk(const VolumeId& volume) = 0;
  // The volume has grown, or has another speed. A guest sees the device's new size at once; its
  // file system keeps its size. Not called for a root.
  virtual void change_disk(const Volume& /*volume*/) {}
  virtual std::int64_t snapshot_disk(const SnapshotId& snapshot, const VolumeId& volume) = 0;
  // The bytes of the blocks of `snapshot` that hold data and are not the same in `previous`,
  // another snapshot of its volume. Empty if the disks do not know: all blocks count then.
  virtual std::optional<std::int64_t> changed_bytes(const SnapshotId& /*previous*/,
                                                    const SnapshotId& /*snapshot*/) {
    return {};
  }
  // A second snapshot with the bytes of the first.
  virtual void copy_snapshot_disk(const SnapshotId& /*from*/, const SnapshotId& /*to*/) {}
  virtual void delete_snapshot_disk(const SnapshotId& snapshot) = 0;

  // The device appears in the running machine under `device` ("/dev/sdf" appears as /dev/xvdf).
  virtual void plug(const VolumeId& volume, const InstanceId& instance,
                    const std::string& device) = 0;
  // Removes the device from the machine. `released` runs as an event when the machine no longer
  // uses it. That is at once if the device is not mounted or if `force` is set, else when it is
  // unmounted or the machine ends.
  virtual void unplug(const VolumeId& volume, const InstanceId& instance, bool force,
                      std::function<void()> released) = 0;
};

}  // namespace sim::cloud
