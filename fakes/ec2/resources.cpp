#include "fakes/ec2/resources.h"

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

sim::cloud::FleetId fleet_id(const std::string& text) {
  if (!text.starts_with("sfr-") || text.size() != 40 ||
      !all_of(text.substr(4), "0123456789abcdef-")) {
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

void check_security_group_id(const std::string& text) {
  if (!is_hex_id(text, "sg-"))
    throw ApiError("InvalidGroupId.Malformed", "Invalid id: \"" + text + "\"");
}

// EC2 user guide, "Terminate your instance": it stays visible for about an hour.
bool visible(const Call& call, const sim::cloud::Instance& instance) {
  return !instance.terminated_at || call.now - *instance.terminated_at <= std::chrono::hours{1};
}

bool visible(const sim::cloud::Volume& volume) {
  return volume.state != sim::cloud::VolumeState::kDeleted;
}

bool visible(const sim::cloud::Snapshot& snapshot) { return !snapshot.deleted_at; }

const sim::cloud::Instance& find_instance(const Call& call, const sim::cloud::InstanceId& id) {
  const auto found = call.cloud.instances().find(id);
  if (found == call.cloud.instances().end() || !visible(call, found->second)) {
    throw ApiError("InvalidInstanceID.NotFound",
                   fmt::format("The instance ID '{}' does not exist", id.value));
  }
  return found->second;
}

const sim::cloud::Volume& find_volume(const Call& call, const sim::cloud::VolumeId& id) {
  const auto found = call.cloud.volumes().find(id);
  if (found == call.cloud.volumes().end() || !visible(found->second)) {
    throw ApiError("InvalidVolume.NotFound",
                   fmt::format("The volume '{}' does not exist.", id.value));
  }
  return found->second;
}

const sim::cloud::Snapshot& find_snapshot(const Call& call, const sim::cloud::SnapshotId& id) {
  const auto found = call.cloud.snapshots().find(id);
  if (found == call.cloud.snapshots().end() || !visible(found->second)) {
    throw ApiError("InvalidSnapshot.NotFound",
                   fmt::format("The snapshot '{}' does not exist.", id.value));
  }
  return found->second;
}

}  // namespace fakes::ec2
