// DescribeImageAttribute, ModifyImageAttribute and ResetImageAttribute, for images of the account.
#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/ec2/permission_changes.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::OwnImage;
using sim::cloud::Permissions;

// EC2 does not show the attributes of another account's image.
const OwnImage& own_image(const Call& call, const api::Opt<std::string>& given) {
  const std::string& id = required(given, "ImageId");
  check_image_id(id);
  const auto& of_scenario = call.cloud.config().images;
  const auto found = of_scenario.find(id);
  if (found != of_scenario.end() && found->second.owner.empty())
    throw ApiError("UnsupportedOperation",
                   "Attributes of an image of the scenario are not part of this simulated AWS.");
  if (found != of_scenario.end() || public_images(call.backend).contains(id))
    throw ApiError("AuthFailure", "Not authorized for image:" + id);
  return call.cloud.shown(sim::cloud::ImageId{id});
}

aws::AttributeValue attribute_value(const std::string& text) { return {.value = text}; }

struct ImageAttributeRow {
  std::string_view name;
  void (*show)(aws::ImageAttribute&, const OwnImage&);
};
// EC2 refuses `blockDeviceMapping` with AuthFailure. Attributes without a value here have none.
constexpr ImageAttributeRow kImageAttributes[] = {
    {"bootMode", [](aws::ImageAttribute&, const OwnImage&) {}},
    {"description",
     [](aws::ImageAttribute& out, const OwnImage& image) {
       out.description = attribute_value(image.description);
     }},
    {"imdsSupport",
     [](aws::ImageAttribute& out, const OwnImage& image) {
       if (image.imds_v2_required) out.imds_support = attribute_value("v2.0");
     }},
    {"kernel", [](aws::ImageAttribute&, const OwnImage&) {}},
    {"lastLaunchedTime", [](aws::ImageAttribute&, const OwnImage&) {}},
    {"launchPermission",
     [](aws::ImageAttribute& out, const OwnImage& image) {
       show_permissions(out.launch_permissions, image.launches);
     }},
    {"productCodes", [](aws::ImageAttribute& out, const OwnImage&) { out.product_codes.give(); }},
    {"ramdisk", [](aws::ImageAttribute&, const OwnImage&) {}},
    {"sriovNetSupport", [](aws::ImageAttribute&, const OwnImage&) {}},
    {"tpmSupport", [](aws::ImageAttribute&, const OwnImage&) {}},
    {"uefiData", [](aws::ImageAttribute&, const OwnImage&) {}},
};

ApiError invalid_item(const std::string& value, const char* type) {
  return {"InvalidAMIAttributeItemValue",
          fmt::format("Invalid attribute item value \"{}\" for {} item type.", value, type)};
}

constexpr PermissionErrors kImageErrors{
    .group = [](const std::string& group) { return invalid_item(group, "userGroup"); },
    .account = [](const std::string& account) { return invalid_item(account, "userId"); }};

}  // namespace

op::DescribeImageAttribute::Response describe_image_attribute(
    Call& call, const op::DescribeImageAttribute::Request& request) {
  const OwnImage& image = own_image(call, request.image_id);
  const std::string& attribute = required(request.attribute, "Attribute");
  const auto* const row = std::ranges::find(kImageAttributes, attribute, &ImageAttributeRow::name);
  if (row == std::end(kImageAttributes))
    throw ApiError("AuthFailure", "Unauthorized attempt to access restricted resource");
  op::DescribeImageAttribute::Response response{.image_id = image.id.value};
  row->show(response, image);
  return response;
}

op::ModifyImageAttribute::Response modify_image_attribute(
    Call& call, const op::ModifyImageAttribute::Request& request) {
  const OwnImage& image = own_image(call, request.image_id);
  const std::string attribute =
      choice(request.attribute, "Attribute", {"", "description", "launchPermission"});
  Permissions launches = image.launches;
  change_by_operation(launches, request.operation_type, request.user_ids, request.user_groups,
                      kImageErrors);
  if (const auto& given = request.launch_permission) {
    change_all(launches, given->add, PermissionChange::kAdd, kImageErrors);
    change_all(launches, given->remove, PermissionChange::kRemove, kImageErrors);
  }
  call.cloud.permit_launches(image.id, std::move(launches));
  if (request.description) call.cloud.describe_image(image.id, text(request.description->value));
  if (attribute == "description" && request.value)
    call.cloud.describe_image(image.id, *request.value);
  return {};
}

op::ResetImageAttribute::Response reset_image_attribute(
    Call& call, const op::ResetImageAttribute::Request& request) {
  choice(request.attribute, "Attribute", {"launchPermission"});
  call.cloud.permit_launches(own_image(call, request.image_id).id, {});
  return {};
}

}  // namespace fakes::ec2
