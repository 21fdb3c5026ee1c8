// Selects the resources of an experiment's target (AWS FIS User Guide, "Targets for AWS FIS").
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "fakes/ec2/network/vpc.h"
#include "fakes/fis/experiments.h"

namespace fakes::fis {
namespace {

using api::fis::ExperimentTemplateTarget;
using sim::cloud::Instance;

using sim::cloud::Volume;
using sim::vpc::Subnet;

constexpr std::string_view kZone = "availabilityZoneIdentifier", kVpc = "vpc";

// The path of a filter, and the resource's value there.
template <class Resource>
struct FilterPath {
  std::string_view path;
  std::string (*value)(const Resource& resource);
};
constexpr FilterPath<Instance> kInstancePaths[] = {
    {"InstanceId", [](const Instance& i) { return i.id.value; }},
    {"InstanceType", [](const Instance& i) { return i.spec.instance_type; }},
    {"ImageId", [](const Instance& i) { return i.spec.image_id; }},
    {"KeyName", [](const Instance& i) { return i.spec.key_name; }},
    {"Placement.AvailabilityZone", [](const Instance& i) { return i.spec.availability_zone; }},
    {"PrivateIpAddress", [](const Instance& i) { return i.private_ip; }},
    {"State.Name", [](const Instance& i) { return std::string(name(i.state)); }},
    {"SubnetId", [](const Instance& i) { return i.spec.subnet_id; }}};
constexpr FilterPath<Volume> kVolumePaths[] = {
    {"AvailabilityZone", [](const Volume& v) { return v.availability_zone; }},
    {"State", [](const Volume& v) { return std::string(name(v.state)); }},
    {"VolumeId", [](const Volume& v) { return v.id.value; }},
    {"VolumeType", [](const Volume& v) { return v.type; }}};

constexpr FilterPath<Subnet> kSubnetPaths[] = {
    {"AvailabilityZone", [](const Subnet& s) { return s.zone; }},
    {"SubnetId", [](const Subnet& s) { return s.id; }},
    {"VpcId", [](const Subnet& s) { return s.vpc; }}};

template <class Resource>
bool passes(std::span<const FilterPath<Resource>> paths, const ExperimentTemplateTarget& target,
            const Resource& resource) {
  return std::ranges::all_of(target.filters, [&](const auto& filter) {
    const auto path = std::ranges::find(paths, filter.path.value(), &FilterPath<Resource>::path);
    if (path == paths.end())
      throw ApiError(
          "ValidationException",
          fmt::format("The filter path {} is not part of this simulated AWS.", *filter.path));
    return std::ranges::find(filter.values, path->value(resource)) != filter.values.end();
  });
}

// Whether the target names the resource by its ARN, or has no ARNs; and the same for its tags.
template <class Tags>
bool is_named(const ExperimentTemplateTarget& target, const std::string& arn, const Tags& tags) {
  const auto& arns = target.resource_arns;
  if (!arns.empty() && std::ranges::find(arns, arn) == arns.end()) return false;
  return std::ranges::all_of(target.resource_tags, [&](const auto& wanted) {
    const auto tag = tags.find(wanted.first);
    return tag != tags.end() && tag->second == wanted.second;
  });
}

// The value of a parameter; empty if the target has none.
std::string parameter(const ExperimentTemplateTarget& target, std::string_view name) {
  const auto found = target.parameters.find(std::string(name));
  return found == target.parameters.end() ? "" : found->second;
}

std::string ec2_arn(const Experiments& all, const char* kind, const std::string& id) {
  const auto& config = all.backend.cloud.config();
  return fmt::format("arn:aws:ec2:{}:{}:{}/{}", config.region, config.account_id, kind, id);
}

// ---- types of resources

Resources instances(const Experiments& all, const ExperimentTemplateTarget& target) {
  const bool spot_only = target.resource_type == "aws:ec2:spot-instance";
  Resources meant;
  for (const auto& [id, instance] : all.backend.cloud.instances()) {
    if (spot_only && instance.lifecycle != sim::cloud::Lifecycle::kSpot) continue;
    if (instance.state == sim::cloud::InstanceState::kRunning &&
        all.backend.cloud.shows(instance) &&
        is_named(target, ec2_arn(all, "instance", id.value), instance.tags) &&
        passes<Instance>(kInstancePaths, target, instance))
      meant.push_back(id.value);
  }
  return meant;
}

Resources volumes(const Experiments& all, const ExperimentTemplateTarget& target) {
  const std::string zone = parameter(target, kZone);
  Resources meant;
  for (const auto& [id, volume] : all.backend.cloud.volumes())
    if (sim::cloud::Cloud::shows(volume) &&
        is_named(target, ec2_arn(all, "volume", id.value), volume.tags) &&
        passes<Volume>(kVolumePaths, target, volume) &&
        (zone.empty() || zone == volume.availability_zone))
      meant.push_back(id.value);
  return meant;
}

Resources subnets(const Experiments& all, const ExperimentTemplateTarget& target) {
  const std::string zone = parameter(target, kZone), vpc = parameter(target, kVpc);
  const auto fits = [&](const Subnet& subnet) {
    return (zone.empty() || zone == subnet.zone || zone == ec2::zone_id(subnet.zone)) &&
           (vpc.empty() || vpc == subnet.vpc);
  };
  Resources meant;
  for (const auto& [id, subnet] : all.backend.cloud.network().subnets.table.all())
    if (is_named(target, ec2_arn(all, "subnet", id), subnet.tags) &&
        passes<Subnet>(kSubnetPaths, target, subnet) && fits(subnet))
      meant.push_back(id);
  return meant;
}

Resources roles(const Experiments& all, const ExperimentTemplateTarget& target) {
  if (!target.resource_tags.empty() || !target.filters.empty())
    throw ApiError("ValidationException",
                   "Targets of the type aws:iam:role are selected by resourceArns only.");
  Resources meant;
  for (const auto& arn : target.resource_arns) {
    const std::string name = arn.substr(arn.rfind('/') + 1);
    if (all.backend.iam->roles().contains(name)) meant.push_back(name);
  }
  return meant;
}

struct ResourceType {
  std::string_view name;
  Resources (*select)(const Experiments& all, const ExperimentTemplateTarget& target);
  std::span<const ActionParameterRow> parameters = {};
};
constexpr ActionParameterRow kOfVolumes[] = {{kZone, "The zone of the volumes", false}};
constexpr ActionParameterRow kOfSubnets[] = {{kZone, "The name or ID of the subnets' zone", false},
                                             {kVpc, "The VPC of the subnets", false}};
constexpr ResourceType kTypes[] = {{"aws:ec2:ebs-volume", volumes, kOfVolumes},
                                   {"aws:ec2:instance", instances},
                                   {"aws:ec2:spot-instance", instances},
                                   {"aws:ec2:subnet", subnets, kOfSubnets},
                                   {"aws:iam:role", roles}};

// The number of selected resources: "ALL", "COUNT(2)", or "PERCENT(50)", which is rounded down.
std::size_t selected(const std::string& mode, std::size_t count) {
  unsigned number = 0;
  int read = 0;
  if (mode == "ALL") return count;
  if (std::sscanf(mode.c_str(), "COUNT(%5u)%n", &number, &read) == 1 &&
      static_cast<std::size_t>(read) == mode.size() && number > 0)
    return std::min<std::size_t>(number, count);
  read = 0;
  if (std::sscanf(mode.c_str(), "PERCENT(%3u)%n", &number, &read) == 1 &&
      static_cast<std::size_t>(read) == mode.size() && number > 0 && number <= 100)
    return count * number / 100;
  throw ApiError("ValidationException", fmt::format("Selection mode: found {}, expected ALL, "
                                                    "COUNT(n) or PERCENT(n)",
                                                    mode));
}

}  // namespace

std::span<const ActionParameterRow> target_parameters(std::string_view type) {
  const auto found = std::ranges::find(kTypes, type, &ResourceType::name);
  if (found == std::end(kTypes)) return {};
  return found->parameters;
}

Resources resolve(Experiments& all, const ExperimentTemplateTarget& target) {
  const auto type = std::ranges::find(kTypes, target.resource_type.value(), &ResourceType::name);
  if (type == std::end(kTypes))
    throw ApiError("ValidationException",
                   fmt::format("The resource type {} is not part of this simulated AWS.",
                               *target.resource_type));
  for (const auto& [name, value] : target.parameters)
    if (std::ranges::find(type->parameters, name, &ActionParameterRow::name) ==
        type->parameters.end())
      throw ApiError(
          "ValidationException",
          fmt::format("Targets of the type {} have no parameter {}.", *target.resource_type, name));
  Resources meant = type->select(all, target);
  const std::size_t count = selected(target.selection_mode.value(), meant.size());
  // Shuffles the first `count` resources: a random selection.
  for (std::size_t i = 0; i < count; ++i)
    std::swap(meant[i], meant[i + all.draws.below(meant.size() - i)]);
  meant.resize(count);
  std::ranges::sort(meant);
  return meant;
}

std::string resource_arn(const Experiments& all, std::string_view type,
                         const std::string& resource) {
  if (type == "aws:iam:role")
    return fmt::format("arn:aws:iam::{}:role/{}", all.backend.cloud.config().account_id, resource);
  return ec2_arn(all,
                 type == "aws:ec2:ebs-volume" ? "volume"
                 : type == "aws:ec2:subnet"   ? "subnet"
                                              : "instance",
                 resource);
}

}  // namespace fakes::fis
