// Volumes in machines: devices that come and go, the calls of guests that concern disks, and the
// virtual time that transfers take.
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

class Devices {
 public:
  Devices(HostContext&, const Machines&, Disks&, DiskTimes&, GuestKernel&);

  // ---- cloud::Host's functions; `links` are the names that the image's rules add to a device
  void plug(const cloud::VolumeId&, const cloud::InstanceId&, const std::string& device,
            DiskLinks links);
  void unplug(const cloud::VolumeId&, const cloud::InstanceId&, bool force,
              std::function<void()> released);

  // The disk that an instance boots from, as it is shown.
  static RootDisk root_disk_of(const cloud::Instance&, const cloud::Volume& root);
  // Detaches the volumes of a machine that has ended. The end of the machine has unmounted them.
  void let_go(Machine&);
  // The disk of a path in an instance, whether the path exists or not: a volume's ID or "root".
  // Empty if the machine has ended, or if it is no instance.
  std::string disk_of(const std::string& machine, const std::string& path) const;

  // ---- SupervisorHooks' functions, of machines that run
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
  std::vector<dev_t> own_disks(const Machine&) const;  // at kRoot, else none

  HostContext& context_;
  const Machines& machines_;
  Disks& disks_;
  DiskTimes& disk_times_;
  GuestKernel& kernel_;
};

}  // namespace sim::guest
