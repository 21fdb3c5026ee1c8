// Makes images of the account: from an instance, from snapshots, or as a copy of another image.
#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/block_devices.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;

sim::cloud::ImageId image_id(const api::Opt<std::string>& given) {
  const std::string& id = required(given, "ImageId");
  check_image_id(id);
  return {id};
}

// Public images and those of the scenario exist without a record in the cloud.
void check_source(const Backend& region, const std::string& id) {
  check_image_id(id);
  if (region.cloud.images().contains({id})) return;
  const auto& config = region.cloud.config();
  if (!config.images.contains(id) && !public_images(region).contains(id))
    throw ApiError("InvalidAMIID.NotFound", "The image id '[" + id + "]' does not exist");
}

}  // namespace

aws::CreateImageResult create_image(Call& call, const aws::CreateImageRequest& request) {
  const auto& specifications = request.tag_specifications;
  api::List<aws::BlockDeviceMapping> mapped;
  std::vector<std::string> left_out;
  for (const aws::BlockDeviceMapping& mapping : request.block_device_mappings)
    if (mapping.no_device)
      left_out.push_back(required(mapping.device_name, "BlockDeviceMapping.DeviceName"));
    else
      mapped.push_back(mapping);
  const auto id = call.cloud.create_image(
      call.cloud.shown(instance_id(required(request.instance_id, "InstanceId"))).id,
      {.name = required(request.name, "Name"),
       .description = text(request.description),
       .tags = read_tag_specifications(specifications, "image", {"snapshot"}),
       .snapshot_tags = read_tag_specifications(specifications, "snapshot", {"image"}),
       .reboot = !request.no_reboot.value_or(false),
       .devices = read_block_devices(mapped, Sizes::kOfInstance),
       .left_out = left_out});
  return {.image_id = id.value};
}

// The first device is the root. Its name (RootDeviceName) is /dev/sda1 or /dev/xvda. EC2's default
// of `architecture` is i386, which no image has today.
aws::RegisterImageResult register_image(Call& call, const aws::RegisterImageRequest& request) {
  choice(request.virtualization_type, "VirtualizationType", {"hvm"});
  if (!text(request.root_device_name).empty() &&
      !sim::cloud::is_root_device(*request.root_device_name))
    throw invalid("rootDeviceName", *request.root_device_name, "/dev/sda1 or /dev/xvda");
  const auto id = call.cloud.register_image(
      {.name = required(request.name, "Name"),
       .description = text(request.description),
       .architecture = choice(request.architecture, "Architecture", {"x86_64", "arm64"}),
       .devices = read_block_devices(request.block_device_mappings),
       .imds_v2_required = text(request.imds_support) == "v2.0"});
  return {.image_id = id.value};
}

aws::CopyImageResult copy_image(Call& call, const aws::CopyImageRequest& request) {
  const Backend& there = source_region(call, request.source_region);
  const std::string& source = required(request.source_image_id, "SourceImageId");
  check_source(there, source);
  sim::cloud::ImageRequest copy{.name = required(request.name, "Name"),
                                .description = text(request.description)};
  if (const auto own = there.cloud.images().find({source}); own != there.cloud.images().end()) {
    if (request.copy_image_tags.value_or(false)) copy.tags = own->second.tags;
    if (copy.description.empty()) copy.description = own->second.description;
  }
  return {.image_id = call.cloud.copy_image(there.cloud, source, copy).value};
}

op::DeregisterImage::Response deregister_image(Call& call,
                                               const aws::DeregisterImageRequest& request) {
  call.cloud.deregister_image(image_id(request.image_id));
  return {};
}

}  // namespace fakes::ec2
