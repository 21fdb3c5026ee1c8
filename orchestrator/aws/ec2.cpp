#include "orchestrator/aws/ec2.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/base64.h"

namespace spotrun::aws {
namespace {

void add(Parameters& parameters, const std::string& name, const std::string& value) {
  if (!value.empty()) parameters.emplace_back(name, value);
}

void add_list(Parameters& parameters, const std::string& name,
              const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    parameters.emplace_back(fmt::format("{}.{}", name, i + 1), values[i]);
  }
}

Parameters filter_parameters(const std::vector<Filter>& filters) {
  Parameters parameters;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const std::string prefix = fmt::format("Filter.{}.", i + 1);
    parameters.emplace_back(prefix + "Name", filters[i].name);
    add_list(parameters, prefix + "Value", filters[i].values);
  }
  return parameters;
}

void add_tags(Parameters& parameters, const std::string& prefix, const Tags& tags) {
  int n = 0;
  for (const auto& [key, value] : tags) {
    const std::string tag = fmt::format("{}Tag.{}.", prefix, ++n);
    parameters.emplace_back(tag + "Key", key);
    parameters.emplace_back(tag + "Value", value);
  }
}

void add_tag_specification(Parameters& parameters, const std::string& resource, const Tags& tags) {
  if (tags.empty()) return;
  parameters.emplace_back("TagSpecification.1.ResourceType", resource);
  add_tags(parameters, "TagSpecification.1.", tags);
}

Tags read_tags(pugi::xml_node resource) {
  Tags tags;
  for (const auto item : resource.child("tagSet").children("item")) {
    tags[item.child_value("key")] = item.child_value("value");
  }
  return tags;
}

Volume read_volume(pugi::xml_node node) {
  Volume volume{.id = node.child_value("volumeId"),
                .availability_zone = node.child_value("availabilityZone"),
                .type = node.child_value("volumeType"),
                .state = node.child_value("status"),
                .size_gib = node.child("size").text().as_int(),
                .iops = node.child("iops").text().as_int(),
                .tags = read_tags(node)};
  for (const auto item : node.child("attachmentSet").children("item")) {
    volume.attachments.push_back(
        {item.child_value("instanceId"), item.child_value("device"), item.child_value("status")});
  }
  return volume;
}

Snapshot read_snapshot(pugi::xml_node node) {
  return {.id = node.child_value("snapshotId"),
          .volume_id = node.child_value("volumeId"),
          .state = node.child_value("status"),
          .progress = node.child_value("progress"),
          .start_time = node.child_value("startTime"),
          .tags = read_tags(node)};
}

Instance read_instance(pugi::xml_node node) {
  return {.id = node.child_value("instanceId"),
          .instance_type = node.child_value("instanceType"),
          .availability_zone = node.child("placement").child_value("availabilityZone"),
          .state = node.child("instanceState").child_value("name"),
          .spot_request_id = node.child_value("spotInstanceRequestId"),
          .launched = parse_iso_time(node.child_value("launchTime")).value_or(Time{}),
          .tags = read_tags(node)};
}

// Runs `call`; what is not there (any more) is no error.
template <class Call>
bool found(const char* not_found, Call call) {
  try {
    call();
    return true;
  } catch (const ApiError& error) {
    if (error.code() != not_found) throw;
    return false;
  }
}

}  // namespace

bool is_out_of_capacity(const ApiError& error) {
  constexpr std::array<std::string_view, 4> kCodes{
      "InsufficientInstanceCapacity", "SpotMaxPriceTooLow", "MaxSpotInstanceCountExceeded",
      "VcpuLimitExceeded"};
  return std::find(kCodes.begin(), kCodes.end(), error.code()) != kCodes.end();
}

std::string Volume::tag(const std::string& key) const {
  const auto found_tag = tags.find(key);
  return found_tag == tags.end() ? "" : found_tag->second;
}

std::vector<Volume> Ec2::describe_volumes(const std::vector<Filter>& filters) {
  std::vector<Volume> volumes;
  client_.call_paged("DescribeVolumes", filter_parameters(filters), [&](pugi::xml_node root) {
    for (const auto item : root.child("volumeSet").children("item")) {
      volumes.push_back(read_volume(item));
    }
  });
  return volumes;
}

std::optional<Volume> Ec2::find_volume(const std::string& id) {
  std::optional<Volume> volume;
  found("InvalidVolume.NotFound", [&] {
    const auto answer = client_.call("DescribeVolumes", {{"VolumeId.1", id}});
    const auto item = answer.document_element().child("volumeSet").child("item");
    if (item) volume = read_volume(item);
  });
  return volume;
}

Volume Ec2::create_volume(const NewVolume& volume) {
  Parameters parameters{{"AvailabilityZone", volume.availability_zone},
                        {"VolumeType", volume.type},
                        {"ClientToken", client_.new_token()}};
  add(parameters, "SnapshotId", volume.snapshot_id);
  if (volume.size_gib > 0) parameters.emplace_back("Size", std::to_string(volume.size_gib));
  if (volume.iops > 0) parameters.emplace_back("Iops", std::to_string(volume.iops));
  add_tag_specification(parameters, "volume", volume.tags);
  return read_volume(client_.call("CreateVolume", parameters).document_element());
}

void Ec2::attach_volume(const std::string& id, const std::string& instance_id,
                        const std::string& device) {
  client_.call("AttachVolume", {{"VolumeId", id}, {"InstanceId", instance_id}, {"Device", device}});
}

void Ec2::detach_volume(const std::string& id, const std::string& instance_id) {
  client_.call("DetachVolume", {{"VolumeId", id}, {"InstanceId", instance_id}});
}

void Ec2::delete_volume(const std::string& id) {
  found("InvalidVolume.NotFound", [&] { client_.call("DeleteVolume", {{"VolumeId", id}}); });
}

std::vector<Snapshot> Ec2::describe_snapshots(const std::vector<Filter>& filters) {
  Parameters parameters = filter_parameters(filters);
  parameters.emplace_back("Owner.1", "self");
  std::vector<Snapshot> snapshots;
  client_.call_paged("DescribeSnapshots", parameters, [&](pugi::xml_node root) {
    for (const auto item : root.child("snapshotSet").children("item")) {
      snapshots.push_back(read_snapshot(item));
    }
  });
  return snapshots;
}

Snapshot Ec2::create_snapshot(const std::string& volume_id, const std::string& description,
                              const Tags& tags) {
  Parameters parameters{{"VolumeId", volume_id}, {"Description", description}};
  add_tag_specification(parameters, "snapshot", tags);
  return read_snapshot(client_.call("CreateSnapshot", parameters).document_element());
}

void Ec2::delete_snapshot(const std::string& id) {
  found("InvalidSnapshot.NotFound", [&] { client_.call("DeleteSnapshot", {{"SnapshotId", id}}); });
}

void Ec2::create_tags(const std::string& resource_id, const Tags& tags) {
  Parameters parameters{{"ResourceId.1", resource_id}};
  add_tags(parameters, "", tags);
  client_.call("CreateTags", parameters);
}

void Ec2::delete_tags(const std::string& resource_id, const std::vector<std::string>& keys) {
  Parameters parameters{{"ResourceId.1", resource_id}};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    parameters.emplace_back(fmt::format("Tag.{}.Key", i + 1), keys[i]);
  }
  client_.call("DeleteTags", parameters);
}

std::vector<Instance> Ec2::describe_instances(const std::vector<Filter>& filters) {
  std::vector<Instance> instances;
  client_.call_paged("DescribeInstances", filter_parameters(filters), [&](pugi::xml_node root) {
    for (const auto reservation : root.child("reservationSet").children("item")) {
      for (const auto item : reservation.child("instancesSet").children("item")) {
        instances.push_back(read_instance(item));
      }
    }
  });
  return instances;
}

std::optional<Instance> Ec2::find_instance(const std::string& id) {
  std::optional<Instance> instance;
  found("InvalidInstanceID.NotFound", [&] {
    const auto answer = client_.call("DescribeInstances", {{"InstanceId.1", id}});
    const auto reservation = answer.document_element().child("reservationSet").child("item");
    const auto item = reservation.child("instancesSet").child("item");
    if (item) instance = read_instance(item);
  });
  return instance;
}

std::string Ec2::run_instance(const NewInstance& instance) {
  Parameters parameters{
      {"ImageId", instance.image_id},
      {"InstanceType", instance.instance_type},
      {"MinCount", "1"},
      {"MaxCount", "1"},
      {"InstanceInitiatedShutdownBehavior", "terminate"},
      {"UserData", base::base64_encode(instance.user_data)},
      {"ClientToken", instance.client_token.empty() ? client_.new_token() : instance.client_token}};
  if (!instance.max_price.empty()) {
    parameters.emplace_back("InstanceMarketOptions.MarketType", "spot");
    parameters.emplace_back("InstanceMarketOptions.SpotOptions.SpotInstanceType", "one-time");
    parameters.emplace_back("InstanceMarketOptions.SpotOptions.MaxPrice", instance.max_price);
  }
  add(parameters, "Placement.AvailabilityZone", instance.availability_zone);
  const bool arn = instance.iam_instance_profile.starts_with("arn:");
  add(parameters, arn ? "IamInstanceProfile.Arn" : "IamInstanceProfile.Name",
      instance.iam_instance_profile);
  add(parameters, "KeyName", instance.key_name);
  add(parameters, "SubnetId", instance.subnet_id);
  add_list(parameters, "SecurityGroupId", instance.security_group_ids);
  add_tag_specification(parameters, "instance", instance.tags);
  const auto answer = client_.call("RunInstances", parameters);
  return answer.document_element().child("instancesSet").child("item").child_value("instanceId");
}

void Ec2::terminate_instance(const std::string& id) {
  client_.call("TerminateInstances", {{"InstanceId.1", id}});
}

std::vector<SpotPrice> Ec2::spot_prices(const std::vector<std::string>& instance_types, Time now) {
  Parameters parameters{{"StartTime", iso_time(now)}, {"ProductDescription.1", "Linux/UNIX"}};
  add_list(parameters, "InstanceType", instance_types);
  std::map<std::pair<std::string, std::string>, SpotPrice> newest;  // comes first
  client_.call_paged("DescribeSpotPriceHistory", parameters, [&](pugi::xml_node root) {
    for (const auto item : root.child("spotPriceHistorySet").children("item")) {
      SpotPrice price{.instance_type = item.child_value("instanceType"),
                      .availability_zone = item.child_value("availabilityZone"),
                      .dollars = item.child("spotPrice").text().as_double()};
      newest.emplace(std::pair(price.instance_type, price.availability_zone), price);
    }
  });
  std::vector<SpotPrice> prices;
  for (auto& [pool, price] : newest) prices.push_back(std::move(price));
  return prices;
}

std::string Ec2::spot_request_status(const std::string& id) {
  std::string code;
  found("InvalidSpotInstanceRequestID.NotFound", [&] {
    const auto answer =
        client_.call("DescribeSpotInstanceRequests", {{"SpotInstanceRequestId.1", id}});
    const auto set = answer.document_element().child("spotInstanceRequestSet");
    code = set.child("item").child("status").child_value("code");
  });
  return code;
}

void Ec2::cancel_spot_request(const std::string& id) {
  client_.call("CancelSpotInstanceRequests", {{"SpotInstanceRequestId.1", id}});
}

bool Ec2::create_launch_template(const std::string& name, const nlohmann::json& data) {
  Parameters parameters{{"LaunchTemplateName", name}};
  flatten(data, "LaunchTemplateData", parameters);
  return found("InvalidLaunchTemplateName.AlreadyExistsException",
               [&] { client_.call("CreateLaunchTemplate", parameters); });
}

std::string Ec2::request_spot_fleet(const nlohmann::json& config) {
  Parameters parameters;
  flatten(config, "SpotFleetRequestConfig", parameters);
  return client_.call("RequestSpotFleet", parameters)
      .document_element()
      .child_value("spotFleetRequestId");
}

std::vector<std::string> Ec2::fleet_instances(const std::string& id) {
  std::vector<std::string> ids;
  client_.call_paged("DescribeSpotFleetInstances", {{"SpotFleetRequestId", id}},
                     [&](pugi::xml_node root) {
                       for (const auto item : root.child("activeInstanceSet").children("item"))
                         ids.emplace_back(item.child_value("instanceId"));
                     });
  return ids;
}

void Ec2::cancel_spot_fleet(const std::string& id) {
  const auto answer = client_.call("CancelSpotFleetRequests",
                                   {{"SpotFleetRequestId.1", id}, {"TerminateInstances", "true"}});
  // EC2 answers 200 for a fleet that it did not cancel, and says so inside.
  const auto refused =
      answer.document_element().child("unsuccessfulFleetRequestSet").child("item").child("error");
  if (refused) {
    throw ApiError("CancelSpotFleetRequests", 400, refused.child_value("code"),
                   refused.child_value("message"));
  }
}

}  // namespace spotrun::aws
