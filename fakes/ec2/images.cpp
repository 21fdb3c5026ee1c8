// The images of the scenario; where it names none, or a default, also a catalogue of public ones.
#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using Values = std::vector<std::string>;

struct Ami {
  std::string id;
  sim::cloud::Image image;
};

// The accounts behind the aliases (DescribeImages of public images in us-west-2).
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

std::string is_public(const Ami& ami) { return ami.image.owner.empty() ? "false" : "true"; }

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
    {"root-device-name", [](const Ami&, Backend&) { return Values{"/dev/sda1"}; }},
    {"root-device-type", [](const Ami&, Backend&) { return Values{"ebs"}; }},
    {"state", [](const Ami&, Backend&) { return Values{"available"}; }},
    {"virtualization-type", [](const Ami&, Backend&) { return Values{"hvm"}; }},
    {"image-allowed", [](const Ami&, Backend&) { return Values{"true"}; }},
    {"manifest-location",
     [](const Ami& a, Backend& b) {
       return Values{account_of(a.image.owner, b) + "/" + a.image.name};
     }},
    {"sriov-net-support", no_value<Ami>},
    // What no image has here.
    {"block-device-mapping.device-name", no_value<Ami>},
    {"block-device-mapping.encrypted", no_value<Ami>},
    {"block-device-mapping.snapshot-id", no_value<Ami>},
    {"block-device-mapping.volume-size", no_value<Ami>},
    {"block-device-mapping.volume-type", no_value<Ami>},
    {"free-tier-eligible", no_value<Ami>},
    {"kernel-id", no_value<Ami>},
    {"product-code", no_value<Ami>},
    {"product-code.type", no_value<Ami>},
    {"ramdisk-id", no_value<Ami>},
    {"source-image-id", no_value<Ami>},
    {"source-image-region", no_value<Ami>},
    {"source-instance-id", no_value<Ami>},
    {"state-reason-code", no_value<Ami>},
    {"state-reason-message", no_value<Ami>},
};

const sim::cloud::Tags& no_image_tags(const Ami&) {
  static const sim::cloud::Tags none;
  return none;
}

[[noreturn]] void no_such_images(const Values& ids) {
  throw ApiError("InvalidAMIID.NotFound",
                 fmt::format("The image id{} '[{}]' do{} not exist", ids.size() == 1 ? "" : "s",
                             fmt::join(ids, ", "), ids.size() == 1 ? "es" : ""));
}

std::vector<Ami> asked_for_images(const Call& call, const Values& ids) {
  auto images = public_images(call.backend);
  for (const auto& [id, image] : call.cloud.config().images) images[id] = image;
  std::vector<Ami> out;
  if (ids.empty())
    for (const auto& [id, image] : images) out.push_back({id, image});
  Values unknown;
  for (const std::string& id : ids) {
    check_image_id(id);
    if (const auto found = images.find(id); found != images.end())
      out.push_back({id, found->second});
    else
      unknown.push_back(id);
  }
  if (!unknown.empty()) no_such_images(unknown);
  return out;
}

// Accounts, of which three have aliases.
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
                 .root_device_name = "/dev/sda1",
                 .root_device_type = "ebs",
                 .state = "available",
                 .usage_operation = "RunInstances",
                 .virtualization_type = "hvm"};
  if (!image.description.empty()) out.description = image.description;
  return out;
}

}  // namespace

aws::DescribeImagesResult describe_images(Call& call, const aws::DescribeImagesRequest& request) {
  const Filters<Ami> filters(request.filters, kImageFilters, no_image_tags);
  const Values accounts = owners(call, request.owners);
  aws::DescribeImagesResult response;
  response.images.give();
  for (const Ami& ami : asked_for_images(call, request.image_ids)) {
    const bool owned =
        accounts.empty() ||
        std::ranges::find(accounts, account_of(ami.image.owner, call.backend)) != accounts.end();
    if (owned && filters.match(ami, call.backend))
      response.images.push_back(shown_image(call, ami));
  }
  return response;
}

}  // namespace fakes::ec2
