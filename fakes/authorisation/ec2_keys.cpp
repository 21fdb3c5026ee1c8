#include "fakes/authorisation/ec2_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/text/lower_case.h"
#include "fakes/authorisation/launch_resources.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/ec2/launch_parameters.h"
#include "sim/vpc/network.h"

namespace fakes::authorisation {
namespace {

using Found = std::optional<sim::iam::Values>;

std::string arn(const Subject& s, std::string_view resource) {
  return fmt::format("arn:aws:ec2:{}:{}:{}", s.context.backend.cloud.config().region,
                     s.context.backend.iam->id(), resource);
}

Found arn_of(const Subject& s, std::string_view type, const std::string& id) {
  return id.empty() ? Found() : some(arn(s, fmt::format("{}/{}", type, id)));
}

std::string id_of(const Subject& s) { return id_in(s.permission.resource); }

// The existing instance that the permission is about, or null.
const sim::cloud::Instance* instance(const Subject& s) {
  return find_instance(s.context, id_of(s));
}

// The value of the first of these parameters that the request has.
std::string first_of(const Subject& s, std::initializer_list<std::string_view> paths) {
  for (const std::string_view path : paths)
    if (std::string value = value_of(s.context.parameters, path); !value.empty()) return value;
  return "";
}

// The existing volume of the permission, or the volume that the request creates.
std::optional<sim::cloud::VolumeSpec> volume(const Subject& s) {
  if (s.permission.volume) return s.permission.volume;
  if (resource_type(s.permission.resource) != "volume") return {};
  const std::string id = id_of(s);
  if (id == "*") return described_volume(s.context.backend, s.context.parameters);
  return existing_volume(s.context.backend, id);
}

std::string subnet_of(const Subject& s) {
  return first_of(s, {"SubnetId", "NetworkInterface.SubnetId"});
}

const sim::vpc::Subnet* find_subnet(const Subject& s) {
  const auto& table = s.context.backend.cloud.network().subnets.table;
  const std::string id = subnet_of(s);
  return table.has(id) ? &table.find(id) : nullptr;
}

Found zone(const Subject& s) {
  if (const auto* const one = instance(s)) return some(one->spec.availability_zone);
  if (const auto one = existing_volume(s.context.backend, id_of(s)))
    return some(one->availability_zone);
  if (const auto* const subnet = find_subnet(s)) return some(subnet->zone);
  return if_any(first_of(s, {"Placement.AvailabilityZone", "AvailabilityZone"}));
}

Found vpc(const Subject& s) {
  const auto& groups = s.context.backend.cloud.network().groups.table;
  if (const std::string id = id_of(s); groups.has(id)) return arn_of(s, "vpc", groups.find(id).vpc);
  const auto* const subnet = find_subnet(s);
  return subnet != nullptr ? arn_of(s, "vpc", subnet->vpc) : Found();
}

Found profile(const Subject& s) {
  const auto* const one = instance(s);
  const std::string name = one != nullptr
                               ? one->spec.iam_instance_profile
                               : first_of(s, {"IamInstanceProfile.Arn", "IamInstanceProfile.Name"});
  const auto* const found = s.context.backend.iam->find_instance_profile(name);
  return found != nullptr ? some(found->arn) : Found();
}

Found launch_template(const Subject& s) {
  const std::string id = value_of(s.context.parameters, "LaunchTemplate.LaunchTemplateId");
  const std::string name = value_of(s.context.parameters, "LaunchTemplate.LaunchTemplateName");
  if (!id.empty()) return arn_of(s, "launch-template", id);
  for (const auto& [key, one] : s.context.backend.cloud.launch_templates())
    if (!name.empty() && one.name == name) return arn_of(s, "launch-template", key.value);
  return {};
}

// A value that all images and instances have.
Found of_machine(const Subject& s, const char* value) {
  const std::string_view type = resource_type(s.permission.resource);
  return type == "image" || type == "instance" ? some(value) : Found();
}

// The owner of an image: an account's ID, or AWS's alias. Empty for an image whose owner no one
// states.
Found owner(const Subject& s) {
  if (resource_type(s.permission.resource) != "image") return {};
  const Backend& backend = s.context.backend;
  const std::string id = id_of(s);
  if (backend.cloud.images().contains({id})) return some(backend.iam->id());
  const auto known = ec2::public_images(backend);
  const auto found = known.find(id);
  if (found == known.end()) return {};
  return some(found->second.owner.empty() ? backend.iam->id() : found->second.owner);
}

// A number of the volume. Zero stands for a default that no request states.
template <int sim::cloud::VolumeSpec::*number>
Found number_of_volume(const Subject& s) {
  const auto one = volume(s);
  return one && (*one).*number > 0 ? some(std::to_string((*one).*number)) : Found();
}

// Whether one of the words, which blanks separate, meets the condition.
template <class Condition>
bool is_any(std::string_view words, Condition condition) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (condition(words.substr(0, end))) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

bool is_one_of(std::string_view word, std::string_view words) {
  return is_any(words, [&](std::string_view one) { return one == word; });
}

// The parameters whose names begin with one of `paths`, in the order of the request.
std::vector<std::pair<std::string, std::string>> parameters_under(const api::Parameters& parameters,
                                                                  std::string_view paths) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const api::Parameter& one : parameters)
    if (is_any(paths, [&](std::string_view path) { return begins_with(one.name, path); }))
      all.emplace_back(one.name, one.value);
  return all;
}

// The parameters of RunInstances that choose a resource of this type, separated by blanks.
struct ChoiceRow {
  std::string_view type, parameters;
};
constexpr ChoiceRow kChoices[] = {
    {"instance",
     "InstanceType IamInstanceProfile UserData MetadataOptions EbsOptimized Monitoring "
     "HibernationOptions InstanceInitiatedShutdownBehavior DisableApiTermination "
     "Placement.Tenancy Placement.GroupName Placement.GroupId"},
    {"image", "ImageId"},
    {"key-pair", "KeyName"},
    {"network-interface", "NetworkInterface SubnetId"},
    {"placement-group", "Placement.GroupName Placement.GroupId"},
    {"security-group", "SecurityGroupId SecurityGroup NetworkInterface.SecurityGroupId"},
    {"snapshot", "BlockDeviceMapping"},
    {"subnet", "SubnetId NetworkInterface.SubnetId"},
    {"volume", "BlockDeviceMapping"}};

// Whether the resource of a launch is that of its launch template, rather than of a parameter that
// overrides it (EC2 User Guide, "Example policies to control access to Amazon EC2", launch
// templates).
Found is_of_template(const Subject& s) {
  if (s.permission.action != "ec2:RunInstances") return {};
  const auto of_template = ec2::template_parameters(s.context.backend, s.context.parameters);
  if (!of_template) return some("false");
  const auto* const row =
      std::ranges::find(kChoices, resource_type(s.permission.resource), &ChoiceRow::type);
  if (row == std::end(kChoices)) return some("true");
  const bool same = parameters_under(s.context.parameters, row->parameters) ==
                    parameters_under(*of_template, row->parameters);
  return some(same ? "true" : "false");
}

// The ID of an existing resource of this type.
Found existing_id(const Subject& s, std::string_view type) {
  if (resource_type(s.permission.resource) != type || id_of(s) == "*") return {};
  return some(id_of(s));
}

// The attribute that a request names, or the members that Modify… changes.
Found attribute(const Subject& s) {
  if (const std::string named = value_of(s.context.parameters, "Attribute"); !named.empty())
    return some(named);
  if (!s.permission.action.starts_with("ec2:Modify")) return {};
  sim::iam::Values names;
  for (const api::Parameter& one : s.context.parameters) {
    std::string name = one.name.substr(0, one.name.find('.'));
    const bool is_attribute = !name.ends_with("Id") && !is_one_of(name, "Action Version DryRun");
    if (is_attribute && !std::ranges::count(names, name)) names.push_back(std::move(name));
  }
  return names.empty() ? Found() : Found(std::move(names));
}

// The new value of an attribute: "HttpTokens", "Description.Value". `name` is in lower case.
Found new_value(const Subject& s, std::string_view name) {
  if (!s.permission.action.starts_with("ec2:Modify")) return {};
  for (const api::Parameter& one : s.context.parameters) {
    const std::string parameter = base::lower_case(one.name);
    if (parameter == name || parameter == fmt::format("{}.value", name)) return some(one.value);
  }
  return {};
}

struct Ec2KeyRow {
  std::string_view key;
  // The types of RunInstances' resources that have the key. Empty: all.
  std::string_view of_launch;
  Found (*value)(const Subject& subject);
};
constexpr Ec2KeyRow kEc2Keys[] = {
    {"ec2:Region", "",
     [](const Subject& s) { return some(s.context.backend.cloud.config().region); }},
    {"ec2:SourceInstanceARN", "",
     [](const Subject& s) { return arn_of(s, "instance", s.caller.instance); }},
    {"ec2:CreateAction", "", [](const Subject& s) { return if_any(s.permission.create_action); }},
    {"ec2:LaunchTemplate", "", launch_template},
    {"ec2:IsLaunchTemplateResource", "", is_of_template},
    {"ec2:Attribute", "", attribute},
    {"ec2:InstanceID", "", [](const Subject& s) { return existing_id(s, "instance"); }},
    {"ec2:VolumeID", "", [](const Subject& s) { return existing_id(s, "volume"); }},
    // ---- instances
    {"ec2:InstanceType", "instance",
     [](const Subject& s) {
       if (const auto* const one = instance(s)) return some(one->spec.instance_type);
       return if_any(first_of(s, {"InstanceType", "LaunchSpecification.InstanceType"}));
     }},
    {"ec2:InstanceMarketType", "instance",
     [](const Subject& s) {
       if (const auto* const one = instance(s))
         return some(one->lifecycle == sim::cloud::Lifecycle::kSpot ? "spot" : "on-demand");
       const std::string type = value_of(s.context.parameters, "InstanceMarketOptions.MarketType");
       return some(type.empty() ? "on-demand" : type);
     }},
    {"ec2:InstanceProfile", "instance", profile},
    {"ec2:Tenancy", "instance",
     [](const Subject& s) {
       const std::string given = value_of(s.context.parameters, "Placement.Tenancy");
       return some(given.empty() ? "default" : given);
     }},
    {"ec2:MetadataHttpTokens", "instance",
     [](const Subject& s) {
       if (const auto* const one = instance(s))
         return some(one->spec.imds_v2_required ? "required" : "optional");
       return if_any(first_of(s, {"MetadataOptions.HttpTokens"}));
     }},
    {"ec2:MetadataHttpEndpoint", "instance",
     [](const Subject& s) {
       if (const auto* const one = instance(s))
         return some(one->spec.imds_disabled ? "disabled" : "enabled");
       return if_any(first_of(s, {"MetadataOptions.HttpEndpoint"}));
     }},
    {"ec2:MetadataHttpPutResponseHopLimit", "instance",
     [](const Subject& s) {
       if (const auto* const one = instance(s))
         return some(std::to_string(one->spec.imds_hop_limit));
       return if_any(first_of(s, {"MetadataOptions.HttpPutResponseHopLimit"}));
     }},
    // Images of this cloud are machines with a root on EBS.
    {"ec2:RootDeviceType", "image instance", [](const Subject& s) { return of_machine(s, "ebs"); }},
    {"ec2:AvailabilityZone", "instance network-interface subnet volume", zone},
    // ---- images and key pairs
    {"ec2:ImageID", "image",
     [](const Subject& s) {
       const std::string id = first_of(s, {"ImageId"});
       return id.empty() ? Found() : some(image_named(s.context.backend, id));
     }},
    {"ec2:ImageType", "image", [](const Subject& s) { return of_machine(s, "machine"); }},
    {"ec2:Owner", "image", owner},
    {"ec2:KeyPairName", "key-pair",
     [](const Subject& s) { return if_any(first_of(s, {"KeyName"})); }},
    // ---- volumes
    {"ec2:VolumeSize", "volume", number_of_volume<&sim::cloud::VolumeSpec::size_gib>},
    {"ec2:VolumeIops", "volume", number_of_volume<&sim::cloud::VolumeSpec::iops>},
    {"ec2:VolumeThroughput", "volume", number_of_volume<&sim::cloud::VolumeSpec::throughput>},
    {"ec2:VolumeType", "volume",
     [](const Subject& s) {
       const auto one = volume(s);
       return one ? some(one->type) : Found();
     }},
    {"ec2:Encrypted", "volume",
     [](const Subject& s) {
       const auto one = volume(s);
       return one ? some(one->encrypted ? "true" : "false") : Found();
     }},
    {"ec2:ParentSnapshot", "volume",
     [](const Subject& s) {
       const auto one = volume(s);
       if (!one || one->from.empty()) return Found();
       return some(fmt::format("arn:aws:ec2:{}::snapshot/{}",
                               s.context.backend.cloud.config().region, one->from.value));
     }},
    // ---- networks
    {"ec2:Subnet", "network-interface",
     [](const Subject& s) { return arn_of(s, "subnet", subnet_of(s)); }},
    {"ec2:SubnetID", "subnet", [](const Subject& s) { return if_any(subnet_of(s)); }},
    {"ec2:SecurityGroupID", "security-group",
     [](const Subject& s) {
       return resource_type(s.permission.resource) == "security-group" ? some(id_of(s)) : Found();
     }},
    {"ec2:Vpc", "network-interface security-group subnet", vpc},
    {"ec2:AssociatePublicIpAddress", "network-interface",
     [](const Subject& s) {
       return if_any(first_of(s, {"NetworkInterface.AssociatePublicIpAddress"}));
     }},
};

}  // namespace

std::string id_in(const std::string& arn) {
  return arn.substr(arn.find_last_of(":/") + 1);  // npos + 1 is 0
}

const sim::cloud::Instance* find_instance(const RequestContext& context, const std::string& id) {
  const auto& all = context.backend.cloud.instances();
  const auto found = all.find({id});
  return found == all.end() ? nullptr : &found->second;
}

std::string_view resource_type(std::string_view arn) {
  if (!arn.starts_with("arn:aws:ec2:")) return {};
  const std::string_view resource = arn.substr(arn.rfind(':') + 1);
  return resource.substr(0, resource.find('/'));
}

std::vector<std::string_view> ec2_keys() {
  std::vector<std::string_view> keys;
  for (const Ec2KeyRow& row : kEc2Keys) keys.push_back(row.key);
  return keys;
}

std::optional<sim::iam::Values> find_ec2_key(const Subject& subject, std::string_view key) {
  constexpr std::string_view kNewValue = "ec2:attribute/";
  if (key.starts_with(kNewValue)) return new_value(subject, key.substr(kNewValue.size()));
  const auto* const row = std::ranges::find_if(
      kEc2Keys, [&](const Ec2KeyRow& one) { return base::lower_case(one.key) == key; });
  if (row == std::end(kEc2Keys)) return {};
  const bool is_launch = subject.permission.action == "ec2:RunInstances";
  const bool has_key = row->of_launch.empty() || !is_launch ||
                       is_one_of(resource_type(subject.permission.resource), row->of_launch);
  return has_key ? row->value(subject) : Found();
}

}  // namespace fakes::authorisation
