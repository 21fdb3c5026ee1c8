// Volumes in machines: attaching and detaching devices, the guests' calls that concern disks, and
// the virtual time of transfers.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/guest/disks/device_names.h"
#include "sim/guest/disks/disk_times.h"
#include "sim/guest/disks/disks.h"
#include "sim/guest/process/parts/guest_kernel.h"
#include "sim/guest/process/parts/host_context.h"
#include "sim/guest/process/parts/machine.h"

namespace sim::guest {

// The part of ProcessHost between machines and Disks. It knows which machine has which volume, and
// waits until a guest has unmounted a volume before it reports the volume as detached.
class Devices {
 public:
  Devices(HostContext&, const Machines&, Disks&, DiskTimes&, GuestKernel&);

  // ---- cloud::Host's functions. `links` are the names that the image's udev rules add to a device
  void plug(const cloud::VolumeId&, const cloud::InstanceId&, const std::string& device,
            DiskLinks links);
  // Shows the size of a volume that has grown, if a machine has it.
  void show_again(const cloud::Volume&);
  void unplug(const cloud::VolumeId&, const cloud::InstanceId&, bool force,
              std::function<void()> released);

  // The disk from which an instance boots, as guests see it.
  static RootDisk root_disk_of(const cloud::Instance&, const cloud::Volume& root);
  // Detaches the volumes of a machine that has ended. Its end has unmounted them.
  void let_go(Machine&);
  // The disk of a path in an instance: a volume's ID or "root". The path need not exist. Empty if
  // the machine has ended or is not an instance.
  std::string disk_of(const std::string& machine, const std::string& path) const;

  // ---- SupervisorHooks' functions, for running machines
  Duration charge(Machine&);
  bool lendable(const Machine*) const;
  Duration sync(const Machine*, int descriptor, int call);
  std::optional<int> control(const Machine&, int descriptor, std::uint32_t request,
                             std::uint64_t argument);
  std::optional<int> mount(const Machine&, const MountCall&);
  std::optional<int> unmount(Machine*, pid_t task, const std::string& target);
  void make_fifo(const Machine&, const std::filesystem::path& fifo);

 private:
  std::filesystem::path device_path(const Machine&, const std::string& device) const;
  void release_when_unmounted(const std::string& machine, const cloud::VolumeId&);
  void take_device(Machine&, const cloud::VolumeId&);
  std::vector<dev_t> own_disks(const Machine&) const;  // only at kRoot

  HostContext& context_;
  const Machines& machines_;
  Disks& disks_;
  DiskTimes& disk_times_;
  GuestKernel& kernel_;
};

}  // namespace sim::guest
