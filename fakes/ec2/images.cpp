// The images of the scenario and of the account. If the scenario names no images, or a default one,
// the catalogue of public images is added.
#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/ec2/instances.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "sim/cloud/volume_types.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::BlockDevice;
using sim::cloud::ImageState;
using sim::cloud::OwnImage;
using Values = std::vector<std::string>;

struct Ami {
  std::string id;
  sim::cloud::Image image;
  const OwnImage* own = nullptr;  // null: the scenario's, or a public one
};

Ami ami_of(const OwnImage& own) {
  return {.id = own.id.value,
          .image = {.name = own.name,
                    .description = own.description,
                    .owner = "",
                    .architecture = own.architecture,
                    .created = own.created_at},
          .own = &own};
}

std::string state_of(const Ami& ami) {
  return std::string(name(ami.own ? ami.own->state : ImageState::kAvailable));
}

std::string flag(bool value) { return value ? "true" : "false"; }

// The volumes of an image. An image that is not the account's own has only a root, like the
// instances that are launched from it. AWS also shows the root's snapshot, which does not exist
// here.
const std::vector<BlockDevice>& devices_of(const Ami& ami) {
  static const std::vector<BlockDevice> kRoot = {
      {.device = kRootDeviceName, .volume = {.size_gib = sim::cloud::kRootGib}}};
  return ami.own ? ami.own->devices : kRoot;
}

// One value of each volume.
template <auto Value>
Values of_volumes(const Ami& ami, Backend&) {
  Values out;
  for (const BlockDevice& device : devices_of(ami)) out.push_back(Value(device));
  return out;
}

// The accounts behind the aliases (from DescribeImages of public images in us-west-2).
std::string account_of(const std::string& owner, const Backend& backend) {
  if (owner.empty() || owner == "self") return backend.cloud.config().account_id;
  if (owner == "amazon") return "137112412989";
  if (owner == "aws-marketplace") return "679593333241";
  return owner;
}

api::Opt<std::string> alias_of(const std::string& owner) {
  if (owner == "amazon" || owner == "aws-marketplace") return owner;
  return {};
}

std::string creation_date(const Ami& ami) {
  std::string text = sim::iso_seconds(ami.image.created);
  return text.insert(text.size() - 1, ".000");
}

std::string is_public(const Ami& ami) {
  return flag(ami.own ? ami.own->launches.everyone : !ami.image.owner.empty());
}

constexpr FilterRow<Ami> kImageFilters[] = {
    {"architecture", [](const Ami& a, Backend&) { return Values{a.image.architecture}; }},
    {"creation-date", [](const Ami& a, Backend&) { return Values{creation_date(a)}; }},
    {"description", [](const Ami& a, Backend&) { return Values{a.image.description}; }},
    {"ena-support", [](const Ami&, Backend&) { return Values{"true"}; }},
    {"hypervisor", [](const Ami&, Backend&) { return Values{"xen"}; }},
    {"image-id", [](const Ami& a, Backend&) { return Values{a.id}; }},
    {"image-type", [](const Ami&, Backend&) { return Values{"machine"}; }},
    {"is-public", [](const Ami& a, Backend&) { return Values{is_public(a)}; }},
    {"name", [](const Ami& a, Backend&) { return Values{a.image.name}; }},
    {"owner-alias",
     [](const Ami& a, Backend&) {
       const auto alias = alias_of(a.image.owner);
       return alias ? Values{*alias} : Values{};
     }},
    {"owner-id", [](const Ami& a, Backend& b) { return Values{account_of(a.image.owner, b)}; }},
    {"platform", [](const Ami&, Backend&) { return Values{}; }},
    {"root-device-name", [](const Ami&, Backend&) { return Values{kRootDeviceName}; }},
    {"root-device-type", [](const Ami&, Backend&) { return Values{"ebs"}; }},
    {"state", [](const Ami& a, Backend&) { return Values{state_of(a)}; }},
    {"virtualization-type", [](const Ami&, Backend&) { return Values{"hvm"}; }},
    {"image-allowed", [](const Ami&, Backend&) { return Values{"true"}; }},
    {"manifest-location",
     [](const Ami& a, Backend& b) {
       return Values{account_of(a.image.owner, b) + "/" + a.image.name};
     }},
    {"sriov-net-support", no_value<Ami>},
    {"block-device-mapping.delete-on-termination",
     of_volumes<[](const BlockDevice& d) { return flag(d.delete_on_termination); }>},
    {"block-device-mapping.device-name", of_volumes<[](const BlockDevice& d) { return d.device; }>},
    {"block-device-mapping.encrypted",
     of_volumes<[](const BlockDevice& d) { return flag(d.volume.encrypted); }>},
    {"block-device-mapping.snapshot-id",
     [](const Ami& a, Backend& b) {
       Values snapshots =
           of_volumes<[](const BlockDevice& d) { return d.volume.from.value; }>(a, b);
       std::erase(snapshots, "");
       return snapshots;
     }},
    {"block-device-mapping.volume-size",
     of_volumes<[](const BlockDevice& d) { return std::to_string(d.volume.size_gib); }>},
    {"block-device-mapping.volume-type",
     of_volumes<[](const BlockDevice& d) { return d.volume.type; }>},
    {"source-instance-id",
     [](const Ami& a, Backend&) {
       return a.own && !a.own->instance.empty() ? Values{a.own->instance.value} : Values{};
     }},
    {"state-reason-message",
     [](const Ami& a, Backend&) {
       return a.own && !a.own->state_reason.empty() ? Values{a.own->state_reason} : Values{};
     }},
    // Properties that no image has here.
    {"free-tier-eligible", no_value<Ami>},
    {"kernel-id", no_value<Ami>},
    {"product-code", no_value<Ami>},
    {"product-code.type", no_value<Ami>},
    {"ramdisk-id", no_value<Ami>},
    {"source-image-id", no_value<Ami>},
    {"source-image-region", no_value<Ami>},
    {"state-reason-code", no_value<Ami>},
};

const sim::cloud::Tags& image_tags(const Ami& ami) {
  static const sim::cloud::Tags none;
  return ami.own ? ami.own->tags : none;
}

[[noreturn]] void no_such_images(const Values& ids) {
  throw ApiError("InvalidAMIID.NotFound",
                 fmt::format("The image id{} '[{}]' do{} not exist", ids.size() == 1 ? "" : "s",
                             fmt::join(ids, ", "), ids.size() == 1 ? "es" : ""));
}

// "Recently deregistered images … return empty results. After all instances that reference a
// deregistered AMI are terminated, specifying the ID of the image will eventually return an error"
// (EC2 API reference, DescribeImages): here after an hour.
bool is_remembered(const Call& call, const std::string& id) {
  const auto found = call.cloud.images().find({id});
  if (found == call.cloud.images().end() || !found->second.deregistered_at) return false;
  if (call.now < *found->second.deregistered_at + std::chrono::hours{1}) return true;
  return std::ranges::any_of(call.cloud.instances(), [&](const auto& entry) {
    return entry.second.spec.image_id == id &&
           entry.second.state != sim::cloud::InstanceState::kTerminated;
  });
}

std::vector<Ami> asked_for_images(const Call& call, const Values& ids) {
  std::map<std::string, Ami> images;
  for (const auto& [id, image] : public_images(call.backend)) images[id] = {id, image};
  for (const auto& [id, image] : call.cloud.config().images) images[id] = {id, image};
  for (const auto& [id, own] : call.cloud.images())
    if (call.cloud.shows(own)) images[id.value] = ami_of(own);
  std::vector<Ami> out;
  if (ids.empty())
    for (const auto& [id, ami] : images) out.push_back(ami);
  Values unknown;
  for (const std::string& id : ids) {
    check_image_id(id);
    if (const auto found = images.find(id); found != images.end())
      out.push_back(found->second);
    else if (!is_remembered(call, id))
      unknown.push_back(id);
  }
  if (!unknown.empty()) no_such_images(unknown);
  return out;
}

// The account IDs of the owners in a request. Three accounts have aliases.
Values owners(const Call& call, const Values& asked) {
  Values out;
  for (const std::string& owner : asked) {
    const std::string account = account_of(owner, call.backend);
    if (account.size() != 12 || account.find_first_not_of("0123456789") != std::string::npos)
      throw ApiError("InvalidUserID.Malformed", "Invalid user id: \"" + owner + "\"");
    out.push_back(account);
  }
  return out;
}

// Whether the image is shared with one of these users: an account, "self" for this one, or "all"
// for everyone (EC2 API reference, DescribeImages).
bool is_shared(const Call& call, const Ami& ami, const Values& users) {
  const bool everyone = is_public(ami) == "true";
  return users.empty() || std::ranges::any_of(users, [&](const std::string& user) {
           if (user == "all") return everyone;
           const std::string account = user == "self" ? call.cloud.config().account_id : user;
           return ami.own && ami.own->launches.accounts.contains(account);
         });
}

aws::BlockDeviceMapping shown_device(const BlockDevice& device) {
  const sim::cloud::VolumeSpec& volume = device.volume;
  aws::EbsBlockDevice ebs{.delete_on_termination = device.delete_on_termination,
                          .encrypted = volume.encrypted,
                          .volume_size = volume.size_gib,
                          .volume_type = volume.type};
  if (!volume.from.empty()) ebs.snapshot_id = volume.from.value;
  if (volume.iops > 0) ebs.iops = volume.iops;
  if (volume.throughput > 0) ebs.throughput = volume.throughput;
  return {.device_name = device.device, .ebs = ebs};
}

// Properties that only an image of the account has.
void show_own(const OwnImage& own, aws::Image& out) {
  out.tags = shown_tags(own.tags);
  if (own.imds_v2_required) out.imds_support = "v2.0";
  if (!own.state_reason.empty())
    out.state_reason = aws::StateReason{.code = "Client.Failed", .message = own.state_reason};
}

aws::Image shown_image(const Call& call, const Ami& ami) {
  const sim::cloud::Image& image = ami.image;
  const std::string account = account_of(image.owner, call.backend);
  aws::Image out{.architecture = image.architecture,
                 .creation_date = creation_date(ami),
                 .ena_support = true,
                 .hypervisor = "xen",
                 .image_id = ami.id,
                 .image_location = account + "/" + image.name,
                 .image_owner_alias = alias_of(image.owner),
                 .image_type = "machine",
                 .name = image.name,
                 .owner_id = account,
                 .platform_details = "Linux/UNIX",
                 .public_ = is_public(ami) == "true",
                 .root_device_name = kRootDeviceName,
                 .root_device_type = "ebs",
                 .state = state_of(ami),
                 .usage_operation = "RunInstances",
                 .virtualization_type = "hvm"};
  if (!image.description.empty()) out.description = image.description;
  out.block_device_mappings.give();
  for (const BlockDevice& device : devices_of(ami))
    out.block_device_mappings.push_back(shown_device(device));
  if (ami.own) show_own(*ami.own, out);
  return out;
}

}  // namespace

aws::DescribeImagesResult describe_images(Call& call, const aws::DescribeImagesRequest& request) {
  const Filters<Ami> filters(request.filters, kImageFilters, image_tags);
  const Values accounts = owners(call, request.owners);
  const Page page(request, {.of = "images", .low = 1, .high = 1000, .cut_down = true});
  std::vector<Ami> images = asked_for_images(call, request.image_ids);
  std::erase_if(images, [&](const Ami& ami) {
    const bool owned =
        accounts.empty() ||
        std::ranges::find(accounts, account_of(ami.image.owner, call.backend)) != accounts.end();
    return !owned || !is_shared(call, ami, request.executable_users) ||
           !filters.match(ami, call.backend);
  });
  aws::DescribeImagesResult response{.next_token = page.cut(images)};
  response.images.give();
  for (const Ami& ami : images) response.images.push_back(shown_image(call, ami));
  return response;
}

}  // namespace fakes::ec2
