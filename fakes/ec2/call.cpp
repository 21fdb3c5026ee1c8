#include "fakes/ec2/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/base64.h"
#include "sim/kernel/check.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;

constexpr std::size_t kMostUserData = 16 * 1024;
constexpr std::string_view kTokenPrefix = "spotsim-page:";

bool all_of(std::string_view text, std::string_view alphabet) {
  return text.find_first_not_of(alphabet) == std::string_view::npos;
}

// "i-" and 8 or 17 hexadecimal digits.
bool is_hex_id(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return (text.size() == 8 || text.size() == 17) && all_of(text, "0123456789abcdef");
}

void check_tag(const std::string& key, const std::string& value) {
  if (key.empty() || key.size() > 127) {
    throw ApiError(
        "InvalidParameterValue",
        fmt::format("Value ({}) for parameter tagKey is invalid. Tag keys must be between "
                    "1 and 127 characters in length.",
                    key));
  }
  if (value.size() > 255) {
    throw ApiError("InvalidParameterValue",
                   "Tag value exceeds the maximum length of 255 characters");
  }
  if (key.starts_with("aws:")) {
    throw ApiError("InvalidParameterValue",
                   "Tag keys starting with 'aws:' are reserved for internal use");
  }
}

}  // namespace

void Call::start() {
  SIM_CHECK(!started_);
  started_ = true;
  const bool dry_run = in.boolean("DryRun").value_or(false);
  in.check_all_used();
  if (dry_run) {
    throw ApiError("DryRunOperation", "Request would have succeeded, but DryRun flag is set.", 412);
  }
}

Page::Page(const Parameters& in, int low, int high, std::size_t most) : size_(most) {
  if (const auto size = in.integer("MaxResults", low, high)) {
    size_ = static_cast<std::size_t>(*size);
    sized_ = true;
  }
  const auto token = in.text("NextToken");
  if (!token || token->empty()) return;
  const std::string decoded = base::base64_decode(*token).value_or("");
  const bool ours = decoded.starts_with(kTokenPrefix);
  const char* const end = decoded.data() + decoded.size();
  if (!ours || std::from_chars(decoded.data() + kTokenPrefix.size(), end, offset_).ptr != end) {
    throw ApiError("InvalidNextToken", "The specified token is not valid: " + *token);
  }
}

void Page::refuse_with(const std::vector<std::string>& ids, std::string_view name) const {
  if (!sized_ || ids.empty()) return;
  throw ApiError(
      "InvalidParameterCombination",
      fmt::format("The parameter {} cannot be used with the parameter maxResults", name));
}

std::string Page::token(std::size_t offset) {
  return base::base64_encode(fmt::format("{}{}", kTokenPrefix, offset));
}

sim::cloud::Tags read_tags(const Parameters& in) {
  sim::cloud::Tags tags;
  for (const auto& tag : in.structures("Tag")) {
    const std::string key = tag.required("Key");
    const std::string value = tag.text("Value").value_or("");
    check_tag(key, value);
    if (!tags.emplace(key, value).second) {
      throw ApiError("InvalidParameterValue", "Duplicate tag key '" + key + "' specified.");
    }
  }
  if (tags.size() > 50) {
    throw ApiError("TagLimitExceeded", "The maximum number of tags for a resource is 50.");
  }
  return tags;
}

sim::cloud::Tags read_tag_specification(const Parameters& in, std::string_view resource_type,
                                        std::string_view list,
                                        const std::vector<std::string>& also) {
  sim::cloud::Tags tags;
  for (const auto& specification : in.structures(list)) {
    const std::string type =
        specification.text("ResourceType").value_or(std::string(resource_type));
    sim::cloud::Tags these = read_tags(specification);
    if (type == resource_type) {
      tags.merge(these);
    } else if (std::find(also.begin(), also.end(), type) == also.end()) {
      throw ApiError(
          "InvalidParameterValue",
          fmt::format("'{}' is not a valid taggable resource type for this operation.", type));
    }
  }
  return tags;
}

std::string read_user_data(const Parameters& in) {
  auto bytes = base::base64_decode(in.text("UserData").value_or(""));
  if (!bytes) throw ApiError("InvalidUserData.Malformed", "Invalid BASE64 encoding of user data.");
  if (bytes->size() > kMostUserData) {
    throw ApiError("InvalidParameterValue", "User data is limited to 16384 bytes");
  }
  return *std::move(bytes);
}

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
