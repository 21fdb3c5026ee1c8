#include "fakes/authorisation/launch_resources.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "fakes/ec2/image_catalogue.h"
#include "fakes/ec2/instance_profiles.h"
#include "sim/cloud/error.h"
#include "sim/cloud/host.h"
#include "sim/cloud/snapshot_rules.h"
#include "sim/cloud/volume_types.h"
#include "sim/vpc/network.h"

namespace fakes::authorisation {
namespace {

using sim::cloud::BlockDevice;
using sim::cloud::VolumeSpec;

// A request with another text than a number is refused anyway.
int number_in(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Adds what a volume has from its snapshot.
VolumeSpec completed(const Backend& backend, VolumeSpec volume) {
  const auto& snapshots = backend.cloud.snapshots();
  const auto source = snapshots.find(volume.from);
  if (source == snapshots.end()) return volume;
  if (volume.size_gib == 0) volume.size_gib = source->second.volume_size_gib;
  volume.encrypted |= source->second.encrypted;
  return volume;
}

// The volume in the parameters `prefix`Encrypted, … Its size has another name in a mapping.
VolumeSpec volume_in(const api::Parameters& parameters, const std::string& prefix,
                     const std::string& size) {
  const auto text = [&](const std::string& name) {
    return std::string(api::find_parameter(parameters, prefix + name));
  };
  VolumeSpec volume{.size_gib = number_in(text(size)),
                    .from = {text("SnapshotId")},
                    .encrypted = text("Encrypted") == "true",
                    .iops = number_in(text("Iops")),
                    .throughput = number_in(text("Throughput"))};
  if (const std::string type = text("VolumeType"); !type.empty()) volume.type = type;
  return volume;
}

// The mappings with a volume, in the order of the request.
std::vector<BlockDevice> mapped_devices(const api::Parameters& parameters) {
  constexpr std::string_view kList = "BlockDeviceMapping.", kVolume = ".Ebs.";
  std::vector<BlockDevice> devices;
  std::string before;
  for (const api::Parameter& one : parameters) {
    if (!one.name.starts_with(kList)) continue;
    const std::string item = one.name.substr(0, one.name.find('.', kList.size()));
    if (item == before || !one.name.substr(item.size()).starts_with(kVolume)) continue;
    before = item;
    devices.push_back({.device = std::string(api::find_parameter(parameters, item + ".DeviceName")),
                       .volume = volume_in(parameters, item + std::string(kVolume), "VolumeSize")});
  }
  return devices;
}

// The block devices of one of the account's own images.
std::vector<BlockDevice> devices_of_image(const Backend& backend, const std::string& image_id) {
  const auto& images = backend.cloud.images();
  const auto image = images.find({image_named(backend, image_id)});
  return image == images.end() ? std::vector<BlockDevice>() : image->second.devices;
}

// Adds an image's device, or its snapshot to the mapping that changes the device.
void add_device(std::vector<BlockDevice>& devices, const BlockDevice& of_image) {
  const auto named = std::ranges::find_if(devices, [&](const BlockDevice& device) {
    return sim::cloud::is_same_device(device.device, of_image.device);
  });
  if (named == devices.end())
    devices.push_back(of_image);
  else if (named->volume.from.empty())
    named->volume.from = of_image.volume.from;
}

// ---- resources that requests name by something else than the last part of their ARNs

template <class Resource>
std::string id_or(const Resource* found, const std::string& otherwise) {
  return found != nullptr ? found->id : otherwise;
}

// Names belong to groups of the default VPC.
std::string group_named(const Backend& backend, const std::string& id_or_name) {
  const auto& network = backend.cloud.network();
  const auto* const vpc = network.vpcs.default_vpc();
  return id_or(vpc == nullptr ? nullptr : network.groups.named(id_or_name, vpc->id), id_or_name);
}

std::string template_named(const Backend& backend, const std::string& id_or_name) {
  for (const auto& [id, one] : backend.cloud.launch_templates())
    if (one.name == id_or_name) return id.value;
  return id_or_name;
}

// The ARN of a key pair has its name.
std::string key_pair_named(const Backend& backend, const std::string& id_or_name) {
  const auto& pairs = backend.cloud.network().key_pairs.table;
  return pairs.has(id_or_name) ? pairs.find(id_or_name).name : id_or_name;
}

// So has that of a placement group.
std::string placement_group_named(const Backend& backend, const std::string& id_or_name) {
  const auto& groups = backend.cloud.network().placement_groups.table;
  return groups.has(id_or_name) ? groups.find(id_or_name).name : id_or_name;
}

// The allocation of an address that a request names by its allocation, by its association or by
// the address.
std::string address_named(const Backend& backend, const std::string& named) {
  if (named.starts_with("eipalloc-")) return named;
  const auto is_named = [&](const sim::vpc::ElasticAddress& one) {
    return one.association == named || sim::vpc::text(one.public_ip) == named;
  };
  return id_or(backend.cloud.network().addresses.table.first(is_named), "*");
}

std::string route_table_of(const Backend& backend, const std::string& association) {
  const auto has_it = [&](const sim::vpc::RouteTable& one) {
    return one.main_association == association || one.associations.contains(association);
  };
  return id_or(backend.cloud.network().route_tables.table.first(has_it), "*");
}

std::string instance_with_profile(const Backend& backend, const std::string& association) {
  const auto* const instance = ec2::find_associated(backend, association);
  return instance != nullptr ? instance->id.value : "*";
}

std::string interface_attached_by(const Backend& backend, const std::string& attachment) {
  const auto has_it = [&](const sim::vpc::Interface& one) { return one.attachment == attachment; };
  return id_or(backend.cloud.network().interfaces.table.first(has_it), "*");
}

struct NameRow {
  std::string_view kind;
  std::string (*resource)(const Backend& backend, const std::string& name);
};
constexpr NameRow kNames[] = {{"address", address_named},
                              {"association", instance_with_profile},
                              {"attachment", interface_attached_by},
                              {"image", image_named},
                              {"key", key_pair_named},
                              {"placement", placement_group_named},
                              {"routes", route_table_of},
                              {"sg", group_named},
                              {"template", template_named}};

}  // namespace

std::optional<std::string> resource_named(const Backend& backend, std::string_view kind,
                                          const std::string& name) {
  const auto* const row = std::ranges::find(kNames, kind, &NameRow::kind);
  if (row == std::end(kNames)) return {};
  return row->resource(backend, name);
}

std::string image_named(const Backend& backend, const std::string& image_id) {
  try {
    return ec2::resolved_image_id(backend, image_id);
  } catch (const sim::cloud::ApiError&) {
    return "*";
  }
}

std::vector<VolumeSpec> volumes_of_launch(const Asked& asked) {
  const Backend& backend = asked.backend;
  std::vector<BlockDevice> devices = mapped_devices(asked.parameters);
  for (const BlockDevice& of_image :
       devices_of_image(backend, value_of(asked.parameters, "ImageId")))
    add_device(devices, of_image);
  if (std::ranges::none_of(devices, sim::cloud::is_root_device, &BlockDevice::device))
    devices.push_back({.device = "/dev/sda1", .volume = {}});
  std::vector<VolumeSpec> volumes;
  for (const BlockDevice& device : devices) {
    volumes.push_back(completed(backend, device.volume));
    if (volumes.back().size_gib == 0 && sim::cloud::is_root_device(device.device))
      volumes.back().size_gib = sim::cloud::kRootGib;
  }
  return volumes;
}

std::vector<std::string> volumes_of_snapshots(const Asked& asked) {
  const auto& cloud = asked.backend.cloud;
  const std::string specification = "InstanceSpecification.";
  const auto excluded = values_of(asked.parameters, specification + "ExcludeDataVolumeId");
  const bool without_root =
      value_of(asked.parameters, specification + "ExcludeBootVolume") == "true";
  std::vector<std::string> ids;
  for (const auto& id :
       cloud.attached_to({value_of(asked.parameters, specification + "InstanceId")}))
    if (!(without_root && cloud.volume(id).root) && !std::ranges::count(excluded, id.value))
      ids.push_back(id.value);
  return ids;
}

bool copies_tags_of_volumes(const Asked& asked) {
  if (value_of(asked.parameters, "CopyTagsFromSource") != "volume") return false;
  return std::ranges::any_of(volumes_of_snapshots(asked), [&](const std::string& id) {
    return !sim::cloud::copied_tags(asked.backend.cloud.volume({id}).tags).empty();
  });
}

VolumeSpec described_volume(const Backend& backend, const api::Parameters& parameters) {
  return completed(backend, volume_in(parameters, "", "Size"));
}

std::optional<VolumeSpec> existing_volume(const Backend& backend, const std::string& id) {
  const auto& volumes = backend.cloud.volumes();
  const auto found = volumes.find({id});
  if (found == volumes.end()) return {};
  const sim::cloud::Volume& volume = found->second;
  return VolumeSpec{.availability_zone = volume.availability_zone,
                    .size_gib = volume.size_gib,
                    .type = volume.type,
                    .from = volume.snapshot,
                    .encrypted = volume.encrypted,
                    .iops = volume.iops,
                    .throughput = volume.throughput};
}

}  // namespace fakes::authorisation
