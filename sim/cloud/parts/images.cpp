#include "sim/cloud/parts/images.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"
#include "sim/cloud/host.h"
#include "sim/cloud/parts/lookup.h"

namespace sim::cloud {
namespace {

// EC2 error codes, InvalidAMIID.Unavailable.
ApiError unavailable(const ImageId& id) {
  return {"InvalidAMIID.Unavailable", "The image ID '" + id.value + "' is no longer available"};
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("()[] ./-'@_").find(c) != std::string_view::npos;
}

// Merges a device of a launch with the image's device. A launch may change all properties of an
// image's volume except the snapshot of the root.
void take_from_image(BlockDevice& device, const BlockDevice& of_image) {
  VolumeSpec& volume = device.volume;
  const SnapshotId& snapshot = of_image.volume.from;
  if (of_image.volume.root && !volume.from.empty() && volume.from != snapshot)
    throw ApiError("InvalidBlockDeviceMapping", "snapshotId cannot be modified on root device");
  if (volume.from.empty()) volume.from = snapshot;
  volume.root = of_image.volume.root;
}

}  // namespace

Images::Images(Context& context, Tagging& tagging, Snapshots& snapshots)
    : context_(context), tagging_(tagging), snapshots_(snapshots) {
  tagging.add({.id_prefix = "ami-", .tags = [this](const std::string& id) -> Tags& {
                 shown({id});
                 return look_up(table_, ImageId{id}).tags;
               }});
}

const OwnImage& Images::shown(const ImageId& id) const {
  const OwnImage& image = look_up(table_, id);
  if (!is_shown(image)) throw unavailable(id);
  return image;
}

const OwnImage* Images::available(const std::string& image_id) const {
  const auto found = table_.find({image_id});
  if (found == table_.end()) return nullptr;
  if (!is_shown(found->second)) throw unavailable(found->first);
  if (found->second.state == ImageState::kAvailable) return &found->second;
  throw ApiError("InvalidAMIID.Unavailable",
                 fmt::format("The image ID '{}' is '{}', not 'available'", image_id,
                             name(found->second.state)));
}

std::string Images::base_of(const std::string& image_id) const {
  const auto found = table_.find({image_id});
  return found == table_.end() ? image_id : found->second.base;
}

void Images::check_name(const std::string& name) const {
  if (name.size() < 3 || name.size() > 128 || !std::ranges::all_of(name, is_name_character))
    throw ApiError("InvalidAMIName.Malformed",
                   "AMI names must be between 3 and 128 characters long, and may contain letters, "
                   "numbers, and the following characters: ( ) [ ] . / - ' @ _ and spaces");
  for (const auto& [id, image] : table_)
    if (is_shown(image) && image.name == name)
      throw ApiError("InvalidAMIName.Duplicate",
                     fmt::format("AMI name {} is already in use by AMI {}", name, id.value));
}

OwnImage& Images::add(OwnImage made) {
  check_name(made.name);
  check_tags(made.tags, {});
  made.id = context_.ids.image();
  made.state = ImageState::kPending;
  made.created_at = context_.now();
  OwnImage& image = table_[made.id];
  image = std::move(made);
  context_.tell_new(image);
  tagging_.announce(image.id.value, image.tags);
  return image;
}

void Images::complete_later(OwnImage& image) {
  Time done = context_.now();
  for (const BlockDevice& device : image.devices) {
    if (device.volume.from.empty()) continue;
    const Snapshot& snapshot = snapshots_.find(device.volume.from);
    done = std::max(done, snapshot.started_at + snapshot.duration);
  }
  context_.simulation.after(done - context_.now(), [this, &image] { finish(image); });
}

void Images::finish(OwnImage& image) {
  if (!is_shown(image) || image.state != ImageState::kPending) return;
  for (const BlockDevice& device : image.devices) {
    if (device.volume.from.empty()) continue;
    const Snapshot& snapshot = snapshots_.find(device.volume.from);
    if (snapshot.state != SnapshotState::kCompleted || !is_shown(snapshot))
      return fail(image, fmt::format("The snapshot {} is not completed", snapshot.id.value));
  }
  context_.set_state(image, ImageState::kAvailable);
}

void Images::fail(OwnImage& image, const std::string& reason) {
  image.state_reason = reason;
  context_.set_state(image, ImageState::kFailed);
}

ImageId Images::register_image(OwnImage made) {
  auto& devices = made.devices;
  const auto root = std::ranges::find_if(devices, is_root_device, &BlockDevice::device);
  if (root == devices.end() || root->volume.from.empty())
    throw ApiError("InvalidBlockDeviceMapping",
                   "The block device mapping has no snapshot for the root device");
  std::rotate(devices.begin(), root, root + 1);
  devices.front().volume.root = true;
  for (const BlockDevice& device : devices) {
    if (device.volume.from.empty()) continue;
    const Snapshot& snapshot = snapshots_.shown(device.volume.from);
    if (snapshot.state != SnapshotState::kCompleted)
      throw ApiError("IncorrectState", fmt::format("Snapshot is in invalid state - {}: '{}'",
                                                   name(snapshot.state), snapshot.id.value));
    snapshots_.check_use(snapshot, device.volume.root);
  }
  made.base = snapshots_.find(devices.front().volume.from).base_image;
  OwnImage& image = add(std::move(made));
  context_.set_state(image, ImageState::kAvailable);
  return image.id;
}

ImageId Images::copy(const Images& source, const std::string& image_id,
                     const ImageRequest& request) {
  OwnImage made{.base = image_id};
  if (const OwnImage* own = source.available(image_id)) {
    made = *own;
    made.instance = {};
  }
  made.name = request.name;
  made.description = request.description;
  made.tags = request.tags;
  made.launches = {};
  OwnImage& image = add(std::move(made));
  for (BlockDevice& device : image.devices) {
    SnapshotId& from = device.volume.from;
    if (from.empty()) continue;
    const std::string description =
        fmt::format("Copied for DestinationAmi {} from SourceAmi {} for SourceSnapshot {}.",
                    image.id.value, image_id, from.value);
    from = snapshots_.copy(source.snapshots_, from, {.description = description});
  }
  complete_later(image);
  return image.id;
}

OwnImage& Images::shown_record(const ImageId& id) {
  shown(id);
  return look_up(table_, id);
}

void Images::describe(const ImageId& id, const std::string& description) {
  shown_record(id).description = description;
  context_.tell(&Observer::changed);
}

void Images::permit(const ImageId& id, Permissions permissions) {
  shown_record(id).launches = std::move(permissions);
  context_.tell(&Observer::changed);
}

void Images::deregister(const ImageId& id) {
  OwnImage& image = shown_record(id);
  SIM_CHECK(allowed("image", name(image.state), "deregistered"));
  image.deregistered_at = context_.now();
  context_.tell(&Observer::changed);
  context_.tell(&Observer::image_deregistered, image);
}

void Images::check_unused(const SnapshotId& snapshot) const {
  for (const auto& [id, image] : table_)
    if (is_shown(image) && std::ranges::any_of(image.devices, [&](const BlockDevice& device) {
          return device.volume.from == snapshot;
        }))
      throw ApiError("InvalidSnapshot.InUse",
                     "The snapshot " + snapshot.value + " is currently in use by " + id.value);
}

void Images::complete(LaunchSpec& spec) const {
  spec.base_image.clear();
  const OwnImage* image = available(spec.image_id);
  if (!image) return;
  spec.base_image = image->base;
  if (image->imds_v2_required) spec.imds_v2_required = true;
  for (const BlockDevice& of_image : image->devices) {
    const auto named = std::ranges::find_if(spec.block_devices, [&](const BlockDevice& device) {
      return is_same_device(device.device, of_image.device);
    });
    if (named == spec.block_devices.end())
      spec.block_devices.push_back(of_image);
    else
      take_from_image(*named, of_image);
  }
}

}  // namespace sim::cloud
