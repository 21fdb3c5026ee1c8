// BlockDeviceMappings of RunInstances, launch specifications and launch templates.
#pragma once

#include <vector>

#include "fakes/ec2/ids.h"
#include "fakes/ec2/requests.h"
#include "sim/cloud/host.h"
#include "sim/cloud/resources.h"

namespace fakes::ec2 {

// Which request states the size of a volume that is made from no snapshot: a launch, or
// CreateImage, whose volumes are mostly those of the instance.
enum class Sizes { kStated, kOfInstance };

// Reads mappings. Mappings without Ebs are instance store volumes, which this cloud does not have.
// `Mappings` is a list of BlockDeviceMapping or LaunchTemplateBlockDeviceMappingRequest.
template <class Mappings>
std::vector<sim::cloud::BlockDevice> read_block_devices(const Mappings& mappings,
                                                        Sizes sizes = Sizes::kStated) {
  std::vector<sim::cloud::BlockDevice> devices;
  for (const auto& mapping : mappings) {
    const std::string& device = required(mapping.device_name, "BlockDeviceMapping.DeviceName");
    if (mapping.no_device && !mapping.no_device->empty())
      throw sim::cloud::ApiError("InvalidRequest", "The request received was invalid");
    if (!mapping.ebs) {
      if (!mapping.no_device && !mapping.virtual_name) throw missing("ebs");
      continue;
    }
    const auto& ebs = *mapping.ebs;
    if (sizes == Sizes::kStated && !ebs.volume_size && !ebs.snapshot_id &&
        !sim::cloud::is_root_device(device))
      throw missing("size or snapshotId");
    check_range(ebs.volume_size, "BlockDeviceMapping.Ebs.VolumeSize", 1, 65536);
    check_range(ebs.iops, "BlockDeviceMapping.Ebs.Iops", 1, 1'000'000);
    check_range(ebs.throughput, "BlockDeviceMapping.Ebs.Throughput", 1, 10'000);
    const std::string& from = text(ebs.snapshot_id);
    devices.push_back(
        {.device = device,
         .volume = {.size_gib = static_cast<int>(ebs.volume_size.value_or(0)),
                    .type = ebs.volume_type.value_or("gp2"),
                    .from = from.empty() ? sim::cloud::SnapshotId{} : snapshot_id(from),
                    .encrypted = ebs.encrypted.value_or(false),
                    .kms_key_id = text(ebs.kms_key_id),
                    .iops = static_cast<int>(ebs.iops.value_or(0)),
                    .throughput = static_cast<int>(ebs.throughput.value_or(0))},
         .delete_on_termination = ebs.delete_on_termination.value_or(true)});
  }
  return devices;
}

}  // namespace fakes::ec2
