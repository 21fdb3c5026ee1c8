#include "fakes/ec2/ids.h"

#include <fmt/format.h>

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;

bool all_of(std::string_view text, std::string_view alphabet) {
  return text.find_first_not_of(alphabet) == std::string_view::npos;
}

// "i-" and 8 or 17 hexadecimal digits.
bool is_hex_id(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return (text.size() == 8 || text.size() == 17) && all_of(text, "0123456789abcdef");
}

bool is_uuid_id(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) && text.size() == prefix.size() + 36 &&
         all_of(text.substr(prefix.size()), "0123456789abcdef-");
}

}  // namespace

sim::cloud::InstanceId instance_id(const std::string& text) {
  if (!is_hex_id(text, "i-")) {
    throw ApiError("InvalidInstanceID.Malformed", "Invalid id: \"" + text + "\"");
  }
  return {text};
}

sim::cloud::VolumeId volume_id(const std::string& text) {
  if (!is_hex_id(text, "vol-")) {
    throw ApiError(
        "InvalidParameterValue",
        fmt::format("Value ({}) for parameter volume is invalid. Expected: 'vol-...'.", text));
  }
  return {text};
}

sim::cloud::SnapshotId snapshot_id(const std::string& text) {
  if (!is_hex_id(text, "snap-")) {
    throw ApiError(
        "InvalidParameterValue",
        fmt::format("Value ({}) for parameter snapshotId is invalid. Expected: 'snap-...'.", text));
  }
  return {text};
}

sim::cloud::SpotRequestId spot_request_id(const std::string& text) {
  if (!text.starts_with("sir-") || text.size() != 12 ||
      !all_of(text.substr(4), "0123456789abcdefghijklmnopqrstuvwxyz")) {
    throw ApiError("InvalidSpotInstanceRequestID.Malformed",
                   "The spot instance request ID '" + text + "' is malformed");
  }
  return {text};
}

sim::cloud::FleetId ec2_fleet_id(const std::string& text) {
  if (!is_uuid_id(text, "fleet-"))
    throw ApiError("InvalidFleetId.Malformed", "The fleet ID '" + text + "' is malformed");
  return {text};
}

sim::cloud::FleetId fleet_id(const std::string& text) {
  if (!is_uuid_id(text, "sfr-")) {
    throw ApiError("InvalidSpotFleetRequestId.Malformed",
                   "The Spot Fleet request ID '" + text + "' is malformed");
  }
  return {text};
}

sim::cloud::LaunchTemplateId launch_template_id(const std::string& text) {
  if (!is_hex_id(text, "lt-")) {
    throw ApiError("InvalidLaunchTemplateId.Malformed",
                   "The specified launch template ID " + text + " is malformed");
  }
  return {text};
}

// EC2 makes no other check: any other ID is NotFound.
void check_image_id(const std::string& text) {
  if (!text.starts_with("ami-"))
    throw ApiError("InvalidAMIID.Malformed",
                   "Invalid id: \"" + text + "\" (expecting \"ami-...\")");
}

void check_no_parameter(const std::string& image_id) {
  if (image_id.starts_with("resolve:")) check_image_id(image_id);
}

// As for images, EC2 checks only the prefix.
void check_security_group_id(const std::string& text) {
  if (!text.starts_with("sg-"))
    throw ApiError("InvalidGroupId.Malformed",
                   "Invalid id: \"" + text + "\" (expecting \"sg-...\")");
  if (!is_hex_id(text, "sg-"))
    throw ApiError("InvalidGroup.NotFound", "The security group '" + text + "' does not exist");
}

void check_security_group_ids(const std::vector<std::string>& texts) {
  constexpr std::size_t kPerInterface = 5;
  for (const std::string& text : texts) check_security_group_id(text);
  if (texts.size() > kPerInterface)
    throw ApiError("SecurityGroupsPerInterfaceLimitExceeded",
                   "The maximum number of security groups per interface has been reached.");
}

}  // namespace fakes::ec2
