// DescribeImageAttribute, ModifyImageAttribute and ResetImageAttribute, for images of the account.
#include <fmt/format.h>

#include <algorithm>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::LaunchPermissions;
using sim::cloud::OwnImage;

constexpr std::string_view kEveryone = "all";

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

api::List<aws::LaunchPermission> shown_launch_permissions(const LaunchPermissions& launches) {
  api::List<aws::LaunchPermission> shown;
  shown.give();
  if (launches.everyone) shown.push_back({.group = std::string(kEveryone)});
  for (const std::string& account : launches.accounts) shown.push_back({.user_id = account});
  return shown;
}

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
       out.launch_permissions = shown_launch_permissions(image.launches);
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

enum class PermissionChange { kAdd, kRemove };

void change_group(LaunchPermissions& launches, const std::string& group, PermissionChange change) {
  if (group != kEveryone) throw invalid_item(group, "userGroup");
  launches.everyone = change == PermissionChange::kAdd;
}

void change_account(LaunchPermissions& launches, const std::string& account,
                    PermissionChange change) {
  constexpr std::size_t kDigits = 12;
  if (account.size() != kDigits || account.find_first_not_of("0123456789") != account.npos)
    throw invalid_item(account, "userId");
  if (change == PermissionChange::kAdd)
    launches.accounts.insert(account);
  else
    launches.accounts.erase(account);
}

void change_all(LaunchPermissions& launches, const api::List<aws::LaunchPermission>& permissions,
                PermissionChange change) {
  for (const aws::LaunchPermission& one : permissions) {
    if (one.group) change_group(launches, *one.group, change);
    if (one.user_id) change_account(launches, *one.user_id, change);
  }
}

// The older form of a request: an attribute, an operation, and lists of accounts and groups.
void change_by_operation(LaunchPermissions& launches, const aws::ModifyImageAttributeRequest& in) {
  if (in.user_ids.empty() && in.user_groups.empty()) return;
  const std::string operation = choice(in.operation_type, "OperationType", {"add", "remove"});
  const PermissionChange change =
      operation == "add" ? PermissionChange::kAdd : PermissionChange::kRemove;
  for (const std::string& group : in.user_groups) change_group(launches, group, change);
  for (const std::string& account : in.user_ids) change_account(launches, account, change);
}

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
  LaunchPermissions launches = image.launches;
  change_by_operation(launches, request);
  if (const auto& given = request.launch_permission) {
    change_all(launches, given->add, PermissionChange::kAdd);
    change_all(launches, given->remove, PermissionChange::kRemove);
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
