// The root volume of a stateful instance: it is copied to snapshots, and the next launch uses an
// image made from them.
//
// The vendor documents "periodic snapshots of your root volumes" while the instance runs. "The new
// instance will be created from a final snapshot", which is taken after the original instance is
// terminated and its volumes are available (Elastigroup, "Persist root volume"). "An image is
// created from the last snapshot"; only the latest snapshot is kept (Stateful Node, "Root Volume
// Persistence").
#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/host.h"
#include "sim/elastigroup/work.h"

namespace sim::elastigroup {
namespace {

constexpr const char* kRootDevice = "/dev/sda1";

}  // namespace

Device* Elastigroups::root_of(Work& work) {
  auto& devices = work.member.devices;
  const auto found = std::ranges::find_if(devices, &Device::root);
  return found == devices.end() ? nullptr : &*found;
}

// An image is not used if the user has deregistered it or deleted its snapshot. The launch then
// uses the group's image, and the group's log has a line about it.
void Elastigroups::make_root_image(Work& work) {
  Device* const root = root_of(work);
  if (!root || root->snapshot.empty()) return;
  if (!root->image.empty() && is_shown(cloud_.images().at(root->image))) return;
  root->image = {};
  attempt(work, "make an image of snapshot " + root->snapshot.value, [&] {
    root->image = cloud_.register_image(
        {.name = fmt::format("{} {}", work.member.id, root->snapshot.value),
         .description = "Created by Spotinst for a stateful instance",
         .devices = {{.device = kRootDevice, .volume = {.from = root->snapshot}}}});
  });
}

// The root outlives its instance, so that the last copy can be made after the end.
void Elastigroups::keep_root(const Work& work, cloud::LaunchSpec& spec) {
  if (!work.persistence().root_device) return;
  for (const Device& device : work.member.devices)
    if (device.root && !device.image.empty()) spec.image_id = device.image.value;
  auto& mappings = spec.block_devices;
  auto mapping = std::ranges::find_if(mappings, cloud::is_root_device, &cloud::BlockDevice::device);
  if (mapping == mappings.end()) mapping = mappings.insert(mapping, {.device = kRootDevice});
  mapping->delete_on_termination = false;
}

void Elastigroups::drop_image(Work& work, Device& root) {
  const cloud::ImageId image = std::exchange(root.image, {});
  if (!image.empty())
    attempt(work, "deregister image " + image.value, [&] { cloud_.deregister_image(image); });
}

void Elastigroups::forget_root(Work& work) {
  Member& member = work.member;
  Device& root = *root_of(work);
  drop_image(work, root);
  if (!root.volume.empty()) member.obsolete.insert(root.volume);
  for (const cloud::SnapshotId& id : {root.snapshot, root.backup, root.final_copy})
    if (!id.empty()) member.obsolete_snapshots.insert(id);
  std::erase_if(member.devices, [](const Device& device) { return device.root; });
}

}  // namespace sim::elastigroup
