// Reads a group's JSON into the model's launch specification.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/text/base64.h"
#include "fakes/spotinst/documents.h"

namespace fakes::spotinst {
namespace {

using base::JsonFields;
using sim::cloud::ApiError;
using namespace sim::elastigroup;

constexpr int kDeepest = 32;
constexpr int kMostInstances = 1000;
constexpr int kMostSeconds = 24 * 3600;
constexpr int kMostGib = 16 * 1024;

// ".a.b" of "/a/b".
std::string dotted(std::string pointer) {
  std::ranges::replace(pointer, '/', '.');
  return pointer.empty() ? pointer : pointer.substr(1);
}

[[noreturn]] void refuse(const std::string& pointer, const std::string& found,
                         const std::string& expected) {
  const std::string field = dotted(pointer);
  ApiError error("ValidationError",
                 fmt::format("{}: found {}, expected {}", field, found, expected));
  throw error.with("field", field);
}

// Members that spotsim does not simulate.
constexpr const char* kNotSimulated[] = {
    "/scaling",
    "/scheduling",
    "/thirdPartiesIntegration",
    "/multai",
    "/logging",
    "/strategy/signals",
    "/strategy/scalingStrategy",
    "/compute/elasticIps",
    "/compute/privateIps",
    "/compute/subnetIds",
    "/compute/instanceTypes/weights",
    "/compute/launchSpecification/loadBalancersConfig",
    "/compute/launchSpecification/loadBalancerNames",
    "/compute/launchSpecification/creditSpecification",
    "/compute/launchSpecification/shutdownScript",
    "/compute/launchSpecification/cpuOptions",
    "/compute/launchSpecification/resourceTagSpecification",
};

bool says_nothing(const Json& value) {
  if (value.is_structured())
    return std::ranges::all_of(value, [](const Json& one) { return says_nothing(one); });
  return value.is_null() || value == false || value == 0 || value == "";
}

Json without_nulls(const Json& value) {
  if (!value.is_structured()) return value;
  Json kept = value.is_array() ? Json::array() : Json::object();
  for (const auto& [name, member] : value.items()) {
    if (value.is_array())
      kept.push_back(without_nulls(member));
    else if (!member.is_null())
      kept[name] = without_nulls(member);
  }
  return kept;
}

Json without_empty(Json group) {
  for (const char* pointer : kNotSimulated) {
    const Json::json_pointer at(pointer);
    if (!group.is_object() || !group.contains(at) || !says_nothing(group.at(at))) continue;
    group.at(at.parent_pointer()).erase(at.back());
  }
  return group;
}

template <class Word>
using Words = std::vector<std::pair<const char*, Word>>;

template <class Word>
Word choose(JsonFields& fields, const std::string& name, const Words<Word>& words, Word otherwise) {
  std::vector<std::string> names;
  for (const auto& [text, word] : words) names.push_back(text);
  const auto given = fields.choice(name, names);
  for (const auto& [text, word] : words)
    if (given == text) return word;
  return otherwise;
}

// The description's defaults are 0. Here `maximum` is by default the target, so that requests may
// omit it.
Capacity read_capacity_of(JsonFields fields) {
  Capacity capacity;
  capacity.minimum = fields.integer("minimum", 0, kMostInstances).value_or(0);
  capacity.target = fields.integer("target", 0, kMostInstances).value_or(capacity.minimum);
  capacity.maximum = fields.integer("maximum", 0, kMostInstances).value_or(capacity.target);
  fields.choice("unit", {"instance"});
  if (capacity.target < capacity.minimum || capacity.target > capacity.maximum)
    fields.fail("target", std::to_string(capacity.target),
                fmt::format("a target between minimum ({}) and maximum ({})", capacity.minimum,
                            capacity.maximum));
  fields.finish();
  return capacity;
}

Persistence read_persistence(JsonFields fields) {
  Persistence persistence;
  persistence.root_device = fields.flag("shouldPersistRootDevice").value_or(false);
  persistence.block_devices = fields.flag("shouldPersistBlockDevices").value_or(false);
  persistence.private_ip = fields.flag("shouldPersistPrivateIp").value_or(false);
  persistence.mode = choose<BlockDevicesMode>(
      fields, "blockDevicesMode",
      {{"onLaunch", BlockDevicesMode::kOnLaunch}, {"reattach", BlockDevicesMode::kReattach}},
      BlockDevicesMode::kOnLaunch);
  fields.finish();
  return persistence;
}

// The description says that the default of `risk` is 0. Its examples and the vendor's console use
// 100, the value of a group of spot instances, so 100 is the default here.
void read_strategy(JsonFields fields, GroupSpec& spec) {
  spec.risk = fields.integer("risk", 0, 100).value_or(100);
  spec.on_demand_count = fields.integer("onDemandCount", 0, kMostInstances);
  fields.flag("utilizeReservedInstances");  // the account has none
  spec.orientation = choose<Orientation>(fields, "availabilityVsCost",
                                         {{"availabilityOriented", Orientation::kAvailability},
                                          {"balanced", Orientation::kBalanced},
                                          {"costOriented", Orientation::kCost},
                                          {"cheapest", Orientation::kCheapest}},
                                         Orientation::kBalanced);
  spec.fallback_to_on_demand = fields.flag("fallbackToOd").value_or(false);
  spec.draining_timeout =
      std::chrono::seconds(fields.integer("drainingTimeout", 0, kMostSeconds).value_or(0));
  if (auto revert = fields.object("revertToSpot")) {
    spec.revert_to_spot = revert->choice("performAt", {"always", "never"}) != "never";
    revert->finish();
  }
  // Both are deprecated and have no effect (the description says so).
  fields.choice("lifetimePeriod", {"days"});
  fields.integer("spinUpTime", 0, kMostSeconds);
  if (auto persistence = fields.object("persistence"))
    spec.persistence = read_persistence(*std::move(persistence));
  fields.finish();
}

sim::cloud::BlockDevice read_mapping(JsonFields fields) {
  sim::cloud::BlockDevice device;
  device.device = fields.required_text("deviceName", "a device name such as /dev/sdf");
  JsonFields ebs = fields.required_object("ebs");
  auto& volume = device.volume;
  volume.size_gib = ebs.integer("volumeSize", 1, kMostGib).value_or(0);
  volume.type = ebs.text("volumeType", "a volume type such as gp3").value_or("gp2");
  volume.iops = ebs.integer("iops", 0, 256'000).value_or(0);
  volume.throughput = ebs.integer("throughput", 125, 1000).value_or(0);
  volume.from = {ebs.text("snapshotId", "a snapshot's ID").value_or("")};
  volume.encrypted = ebs.flag("encrypted").value_or(false);
  volume.kms_key_id = ebs.text("kmsKeyId", "a key's ID").value_or("");
  device.delete_on_termination = ebs.flag("deleteOnTermination").value_or(true);
  ebs.finish();
  fields.finish();
  return device;
}

// The primary interface. Each instance of a default subnet has a public address, whatever is asked.
void read_interface(JsonFields fields, sim::cloud::LaunchSpec& launch) {
  fields.integer("deviceIndex", 0, 0);
  fields.text("description", "a text");
  fields.flag("associatePublicIpAddress");
  fields.flag("deleteOnTermination");
  for (const std::string& group : fields.texts("groups", "a security group's ID"))
    launch.security_group_ids.push_back(group);
  fields.finish();
}

void read_metadata_options(JsonFields fields, sim::cloud::LaunchSpec& launch) {
  launch.imds_v2_required = fields.choice("httpTokens", {"optional", "required"}) == "required";
  launch.imds_hop_limit = fields.integer("httpPutResponseHopLimit", 1, 64).value_or(1);
  launch.imds_tags = fields.choice("instanceMetadataTags", {"disabled", "enabled"}) == "enabled";
  fields.finish();
}

void read_launch(JsonFields fields, sim::cloud::LaunchSpec& launch) {
  launch.image_id = fields.required_text("imageId", "an image's ID");
  launch.key_name = fields.text("keyPair", "a key pair's name").value_or("");
  launch.security_group_ids = fields.texts("securityGroupIds", "a security group's ID");
  launch.detailed_monitoring = fields.flag("monitoring").value_or(false);
  launch.ebs_optimized = fields.flag("ebsOptimized").value_or(false);
  if (const auto text = fields.text("userData", "base64")) {
    const auto decoded = base::base64_decode(*text);
    if (!decoded) fields.fail("userData", "base64");
    launch.user_data = *decoded;
  }
  if (auto role = fields.object("iamRole")) {
    const auto name = role->text("name", "an instance profile's name");
    const auto arn = role->text("arn", "an instance profile's ARN");
    launch.iam_instance_profile = name ? *name : arn.value_or("");
    role->finish();
  }
  const auto interfaces = fields.objects("networkInterfaces");
  if (interfaces.size() > 1) fields.fail("networkInterfaces", "one interface");
  if (!interfaces.empty()) read_interface(interfaces[0], launch);
  if (auto options = fields.object("metadataOptions"))
    read_metadata_options(*std::move(options), launch);
  for (JsonFields& mapping : fields.objects("blockDeviceMappings"))
    launch.block_devices.push_back(read_mapping(std::move(mapping)));
  for (JsonFields& tag : fields.objects("tags")) {
    const std::string key = tag.required_text("tagKey", "a tag's key");
    launch.tags[key] = tag.required_text("tagValue", "a tag's value");
    tag.finish();
  }
  // Only what all instances have: EC2's own health checks, on shared hardware.
  fields.choice("healthCheckType", {"EC2"});
  fields.integer("healthCheckGracePeriod", 0, kMostSeconds);
  fields.integer("healthCheckUnhealthyDurationBeforeReplacement", 0, kMostSeconds);
  fields.choice("tenancy", {"default"});
  fields.finish();
}

Zone read_zone(JsonFields fields, const sim::cloud::Config& config) {
  Zone zone{.name = fields.required_choice("name", config.availability_zones)};
  auto subnets = fields.texts("subnetIds", "a subnet's ID");
  if (const auto one = fields.text("subnetId", "a subnet's ID");
      one && std::ranges::find(subnets, *one) == subnets.end())
    subnets.push_back(*one);
  if (subnets.size() > 1) fields.fail("subnetIds", "one subnet for a zone");
  if (!subnets.empty()) zone.subnet_id = subnets[0];
  fields.finish();
  return zone;
}

std::string known_type(const JsonFields& fields, const std::string& member, const std::string& type,
                       sim::cloud::Cloud& cloud) {
  if (!cloud.market().on_demand_price(type))
    fields.fail(member, '"' + type + '"', "an instance type of EC2");
  return type;
}

std::set<std::string> subset(JsonFields& fields, const std::string& member,
                             const std::vector<std::string>& all) {
  std::set<std::string> chosen;
  for (const std::string& one : fields.texts(member, "one of the group's own")) {
    if (std::ranges::find(all, one) == all.end())
      fields.fail(member, '"' + one + '"', "one of the group's own");
    chosen.insert(one);
  }
  return chosen;
}

void read_compute(JsonFields fields, GroupSpec& spec, sim::cloud::Cloud& cloud) {
  fields.required_choice("product", {"Linux/UNIX", "Linux/UNIX (Amazon VPC)"});
  JsonFields types = fields.required_object("instanceTypes");
  spec.on_demand_type =
      known_type(types, "ondemand", types.required_text("ondemand", "an instance type"), cloud);
  for (const std::string& type : types.texts("spot", "an instance type"))
    spec.spot_types.push_back(known_type(types, "spot", type, cloud));
  if (spec.spot_types.empty()) types.fail("spot", "one instance type at least");
  spec.preferred_types = subset(types, "preferredSpot", spec.spot_types);
  types.finish();
  for (JsonFields& zone : fields.objects("availabilityZones"))
    spec.zones.push_back(read_zone(std::move(zone), cloud.config()));
  if (spec.zones.empty()) fields.fail("availabilityZones", "one zone at least");
  std::vector<std::string> zones;
  for (const Zone& zone : spec.zones) zones.push_back(zone.name);
  spec.preferred_zones = subset(fields, "preferredAvailabilityZones", zones);
  read_launch(fields.required_object("launchSpecification"), spec.launch);
  fields.finish();
}

}  // namespace

Json parse_body(const std::string& text) {
  const auto shallow = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest)
      throw ApiError("ValidationError",
                     fmt::format("body: found more than {} levels, expected a group", kDeepest));
    return true;
  };
  Json body = Json::parse(text, shallow, false);
  if (!body.is_object())
    throw ApiError("ValidationError", "body: expected a JSON object of the API reference");
  return body;
}

GroupSpec read_group(const Json& group, sim::cloud::Cloud& cloud) {
  GroupSpec spec;
  spec.document = without_nulls(group);
  JsonFields fields(without_empty(spec.document), refuse, "/group");
  spec.name = fields.required_text("name", "a name");
  fields.text("description", "a text");
  fields.choice("region", {cloud.config().region});
  spec.capacity = read_capacity_of(fields.required_object("capacity"));
  read_strategy(fields.required_object("strategy"), spec);
  read_compute(fields.required_object("compute"), spec, cloud);
  fields.finish();
  return spec;
}

Deallocation read_deallocation(const Json& body) {
  Deallocation deallocation;
  JsonFields fields(body, refuse);
  if (auto stateful = fields.object("statefulDeallocation")) {
    deallocation.images = stateful->flag("shouldDeleteImages").value_or(false);
    deallocation.volumes = stateful->flag("shouldDeleteVolumes").value_or(false);
    deallocation.snapshots = stateful->flag("shouldDeleteSnapshots").value_or(false);
    stateful->flag("shouldDeleteNetworkInterfaces");  // groups have none of their own
    stateful->finish();
  }
  fields.finish();
  return deallocation;
}

Json read_capacity(const Json& body, const Json& group) {
  JsonFields fields(body, refuse);
  fields.required_object("capacity");
  fields.finish();
  Json changed = group;
  changed.merge_patch(body);
  return changed;
}

}  // namespace fakes::spotinst
