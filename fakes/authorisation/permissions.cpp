#include "fakes/authorisation/permissions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fakes/authorisation/launch_resources.h"
#include "fakes/authorisation/service_resources.h"
#include "fakes/ec2/image_catalogue.h"
#include "fakes/iam_names.h"

namespace fakes::authorisation {
namespace {

using Texts = std::vector<std::string>;

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Takes the next component of a parameter's name, without numbers of lists.
std::string_view next_component(std::string_view& name) {
  while (!name.empty()) {
    const auto dot = std::min(name.find('.'), name.size());
    const std::string_view component = name.substr(0, dot);
    name.remove_prefix(std::min(dot + 1, name.size()));
    if (!is_number(component) && component != "member") return component;
  }
  return {};
}

bool has_path(std::string_view name, std::string_view path) {
  for (;;) {
    const std::string_view a = next_component(name), b = next_component(path);
    if (a != b) return false;
    if (a.empty()) return true;
  }
}

// ---- ARNs

// The resource types of EC2's IDs. An ARN with a name instead of the ID has a kind of
// resource_named().
struct IdRow {
  std::string_view prefix, type;
  bool has_account = true;
  std::string_view named = {};
};
constexpr IdRow kIds[] = {{"i-", "instance"},
                          {"vol-", "volume"},
                          {"snap-", "snapshot", false},
                          {"ami-", "image", false},
                          {"sir-", "spot-instances-request"},
                          {"sfr-", "spot-fleet-request"},
                          {"fleet-", "fleet"},
                          {"lt-", "launch-template"},
                          {"vpc-", "vpc"},
                          {"subnet-", "subnet"},
                          {"sg-", "security-group"},
                          {"sgr-", "security-group-rule"},
                          {"eni-", "network-interface"},
                          {"eipalloc-", "elastic-ip"},
                          {"igw-", "internet-gateway"},
                          {"rtb-", "route-table"},
                          {"key-", "key-pair", true, "key"},
                          {"pg-", "placement-group", true, "placement"},
                          {"dopt-", "dhcp-options"}};

class Arns {
 public:
  explicit Arns(const Asked& asked)
      : asked_(asked), account_(*asked.backend.iam), region_(asked.backend.cloud.config().region) {}

  // The ARNs of the resources in a row.
  Texts of_row(std::string_view resources) const {
    Texts all;
    while (!resources.empty()) {
      const auto end = std::min(resources.find(' '), resources.size());
      add(resources.substr(0, end), all);
      resources.remove_prefix(std::min(end + 1, resources.size()));
    }
    return all;
  }

  // The ARNs of IAM's actions: the profile, role, user, group or policy that the request names.
  Texts of_iam() const {
    constexpr std::string_view kNamed[] = {"{profile:InstanceProfileName}",
                                           "{role:RoleName}",
                                           "{user:UserName}",
                                           "{group:GroupName}",
                                           "{PolicyArn}",
                                           "{policy:PolicyName}",
                                           "{OpenIDConnectProviderArn}"};
    for (const std::string_view pattern : kNamed) {
      Texts all;
      add("?" + std::string(pattern), all);
      if (!all.empty()) return all;
    }
    return {};
  }

  std::string role(const std::string& name) const {
    if (name.starts_with("arn:")) return name;
    const auto found = account_.roles().find(name);
    return found != account_.roles().end() ? found->second.arn : new_entity("role", name);
  }

  std::string ec2(const std::string& id, std::string_view region) const {
    for (const IdRow& row : kIds)
      if (id.starts_with(row.prefix))
        return fmt::format("arn:aws:ec2:{}:{}:{}/{}", region, row.has_account ? account_.id() : "",
                           row.type, resource_named(asked_.backend, row.named, id).value_or(id));
    return "*";
  }

  // A parameter of Systems Manager that a request names: without ":VERSION" or ":LABEL". A path
  // keeps a slash at its end, as AWS's messages show. AWS's own parameters belong to no account.
  std::string parameter(const std::string& named) const {
    constexpr std::string_view kPublic = "/aws/service";
    const std::string name = ec2::named_parameter(asked_.backend, named).name;
    if (name == "arn") return named;  // of another region or account
    const bool is_public = name == kPublic || name.starts_with(std::string(kPublic) + "/");
    return arn("ssm", (name.starts_with('/') ? "parameter" : "parameter/") + name, !is_public);
  }

  std::string arn(std::string_view service, std::string_view resource, bool has_account) const {
    const bool global = service == "iam" || service == "sts" || service == "s3";
    return fmt::format("arn:aws:{}:{}:{}:{}", service, global ? "" : region_,
                       has_account && service != "s3" ? account_.id() : "", resource);
  }

 private:
  // Adds the ARNs of one pattern, such as "?!snapshot/{SnapshotId}".
  void add(std::string_view pattern, Texts& all) const {
    const bool optional = pattern.starts_with('?');
    if (optional) pattern.remove_prefix(1);
    const bool has_account = !pattern.starts_with('!');
    if (!has_account) pattern.remove_prefix(1);
    if (pattern == "*") return all.push_back("*");
    Texts texts{""};
    while (!pattern.empty()) {
      const auto open = std::min(pattern.find('{'), pattern.size());
      append(texts, {std::string(pattern.substr(0, open))});
      if (open == pattern.size()) break;
      const auto close = pattern.find('}');
      const std::string_view parameter = pattern.substr(open + 1, close - open - 1);
      const Texts values = values_for(parameter);
      if (values.empty() && optional) return;
      append(texts, values.empty() ? Texts{any_of(parameter)} : values);
      pattern.remove_prefix(close + 1);
    }
    for (const std::string& text : texts)
      all.push_back(text.starts_with("arn:") || text == "*"
                        ? text
                        : arn(asked_.service.model.name, text, has_account));
  }

  static void append(Texts& texts, const Texts& values) {
    Texts made;
    for (const std::string& text : texts)
      for (const std::string& value : values) made.push_back(text + value);
    texts = std::move(made);
  }

  static std::string_view kind_of(std::string_view parameter) {
    const auto colon = parameter.find(':');
    return colon == parameter.npos ? "" : parameter.substr(0, colon);
  }

  // What stands for a parameter that the request omits.
  std::string any_of(std::string_view parameter) const {
    return service_resource_named(asked_, kind_of(parameter), "*").value_or("*");
  }

  Texts values_for(std::string_view parameter) const {
    const std::string_view kind = kind_of(parameter);
    Texts values = values_of_any(kind.empty() ? parameter : parameter.substr(kind.size() + 1));
    if (kind == "attached") return volumes_of_snapshots(asked_);
    if (kind == "bus" && values.empty()) values = {"default"};
    const sim::iam::Caller* const caller = asked_.caller;
    if (kind == "self" && values.empty() && caller != nullptr && caller->is_of_user())
      values = {caller->name};
    for (std::string& value : values) value = named(kind, value);
    return values;
  }

  // The values of "A|B|C", the names of parameters.
  Texts values_of_any(std::string_view names) const {
    Texts values;
    while (!names.empty()) {
      const auto bar = std::min(names.find('|'), names.size());
      for (std::string& value : values_of(asked_.parameters, names.substr(0, bar)))
        values.push_back(std::move(value));
      names.remove_prefix(std::min(bar + 1, names.size()));
    }
    return values;
  }

  template <class T>
  std::string of_entity(const sim::iam::ByName<T>& all, std::string_view kind,
                        const std::string& name) const {
    const auto found = all.find(name);
    return found != all.end() ? found->second.arn : new_entity(kind, name);
  }

  // An entity that a request of IAM creates has the request's path: "/team/".
  std::string new_entity(std::string_view kind, const std::string& name) const {
    const bool of_iam = asked_.service.model.name == "iam";
    const std::string path = of_iam ? value_of(asked_.parameters, "Path") : "";
    return arn("iam", fmt::format("{}{}{}", kind, path.starts_with('/') ? path : "/", name), true);
  }

  std::string named(std::string_view kind, const std::string& value) const {
    if (kind == "id") return ec2(value, region_);
    if (kind == "role") return role(value);
    if (kind == "user" || kind == "self") return of_entity(account_.users(), "user", value);
    if (kind == "group") return of_entity(account_.groups(), "group", value);
    if (kind == "policy") return new_entity(kind, value);
    if (kind == "profile")
      return of_entity(account_.instance_profiles(), "instance-profile", value);
    if (kind == "queue") return value.substr(value.rfind('/') + 1);  // of its URL
    if (kind == "bus") return value.substr(value.rfind('/') + 1);    // a name or an ARN
    if (kind == "rule") return rule(value);
    if (kind == "parameter") return parameter(value);
    if (kind == "copied") return copied(value);
    if (auto found = service_resource_named(asked_, kind, value)) return *found;
    return resource_named(asked_.backend, kind, value).value_or(value);
  }

  // The snapshot or image that CopySnapshot or CopyImage copies, in the region that has it.
  std::string copied(const std::string& id) const {
    const std::string region = value_of(asked_.parameters, "SourceRegion");
    return ec2(id, region.empty() ? region_ : region);
  }

  // A rule of the default bus has no bus in its ARN.
  std::string rule(const std::string& name) const {
    const std::string given = value_of(asked_.parameters, "EventBusName");
    const std::string bus = given.substr(given.rfind('/') + 1);
    return bus.empty() || bus == "default" ? name : fmt::format("{}/{}", bus, name);
  }

  const Asked& asked_;
  const sim::iam::Account& account_;
  std::string region_;
};

// ---- permissions in addition to the operation's own

// Parameters with an instance profile's name or ARN.
constexpr std::string_view kProfiles[] = {
    "IamInstanceProfile.Name",
    "IamInstanceProfile.Arn",
    "LaunchSpecification.IamInstanceProfile.Name",
    "LaunchSpecification.IamInstanceProfile.Arn",
    "SpotFleetRequestConfig.LaunchSpecifications.IamInstanceProfile.Name",
    "SpotFleetRequestConfig.LaunchSpecifications.IamInstanceProfile.Arn"};

void add_passed_profile(const Asked& asked, const Arns& arns, const std::string& profile,
                        std::vector<Permission>& all) {
  const auto* const found = asked.backend.iam->find_instance_profile(profile);
  if (found == nullptr || found->role.empty()) return;  // the launch is refused anyway
  all.push_back({.action = "iam:PassRole",
                 .resource = arns.role(found->role),
                 .passed_to = "ec2.amazonaws.com"});
}

void add_passed_profiles(const Asked& asked, const Arns& arns, std::vector<Permission>& all) {
  const std::string_view service = asked.service.model.name;
  if (service == "ec2" || service == "autoscaling") {
    for (const std::string_view path : kProfiles)
      for (const std::string& profile : values_of(asked.parameters, path))
        add_passed_profile(asked, arns, profile, all);
    for (const std::string& profile :
         values_of(asked.parameters, service == "ec2" ? "" : "IamInstanceProfile"))
      add_passed_profile(asked, arns, profile, all);
  }
}

// Adds the permissions of additional_rows().
void add_further(const Asked& asked, const Arns& arns, std::vector<Permission>& all) {
  for (const AdditionalRow& row : additional_rows(asked)) {
    const std::string other = row.or_action.empty() ? "" : arns.of_row(row.or_resource).front();
    for (const std::string& resource : arns.of_row(row.resources))
      all.push_back({.action = std::string(row.action),
                     .resource = resource,
                     .passed_to = std::string(row.passed_to),
                     .or_action = std::string(row.or_action),
                     .or_resource = other});
  }
}

// Adds the permission to tag new resources (EC2 User Guide, "Grant permission to tag Amazon EC2
// resources during creation").
void add_tagging(const Asked& asked, const Arns& arns, std::vector<Permission>& all) {
  if (asked.service.model.name != "ec2") return;
  Texts types = values_of(asked.parameters, "TagSpecification.ResourceType");
  if (asked.operation.name == "CreateSnapshots" && copies_tags_of_volumes(asked))
    types.emplace_back("snapshot");
  std::ranges::sort(types);
  types.erase(std::ranges::unique(types).begin(), types.end());
  for (const std::string& type : types)
    all.push_back({.action = "ec2:CreateTags",
                   .resource = arns.arn("ec2", type + "/*", type != "snapshot" && type != "image"),
                   .create_action = std::string(asked.operation.name)});
}

// Adds the permissions of a launch on its new volumes, each with its own size and type, and on a
// Spot Instance request with tags. EC2 does not ask for a request without tags (EC2 User Guide,
// "Tag Spot Instance requests"). An image that a parameter names needs the permission to read it
// (EC2 User Guide, "Reference AMIs using Systems Manager parameters").
void add_new_resources(const Asked& asked, const Arns& arns, std::vector<Permission>& all) {
  if (asked.service.model.name != "ec2" || asked.operation.name != "RunInstances") return;
  for (sim::cloud::VolumeSpec& volume : volumes_of_launch(asked))
    all.push_back({.action = "ec2:RunInstances",
                   .resource = arns.arn("ec2", "volume/*", true),
                   .volume = std::move(volume)});
  constexpr std::string_view kAlias = "resolve:ssm:";
  if (const std::string image = value_of(asked.parameters, "ImageId"); image.starts_with(kAlias))
    all.push_back(
        {.action = "ssm:GetParameters", .resource = arns.parameter(image.substr(kAlias.size()))});
  constexpr std::string_view kRequest = "spot-instances-request";
  if (std::ranges::count(values_of(asked.parameters, "TagSpecification.ResourceType"), kRequest))
    all.push_back({.action = "ec2:RunInstances",
                   .resource = arns.arn("ec2", fmt::format("{}/*", kRequest), true)});
}

// Adds the permission to read the source of a copy: "bucket/key", or the same after a slash.
void add_copied_object(const Asked& asked, std::vector<Permission>& all) {
  if (asked.service.model.name != "s3") return;
  std::string source = value_of(asked.parameters, "CopySource");
  if (source.empty()) return;
  if (source.starts_with('/')) source.erase(0, 1);
  all.push_back({.action = "s3:GetObject",
                 .resource = "arn:aws:s3:::" + source.substr(0, source.find("?versionId="))});
}

}  // namespace

std::vector<std::string> values_of(const api::Parameters& parameters, std::string_view path) {
  Texts values;
  if (path.empty()) return values;
  for (const api::Parameter& one : parameters)
    if (has_path(one.name, path) && !one.value.empty()) values.push_back(one.value);
  return values;
}

bool begins_with(std::string_view name, std::string_view path) {
  for (;;) {
    const std::string_view wanted = next_component(path);
    if (wanted.empty()) return true;
    if (next_component(name) != wanted) return false;
  }
}

std::string value_of(const api::Parameters& parameters, std::string_view path) {
  for (const api::Parameter& one : parameters)
    if (has_path(one.name, path)) return one.value;
  return "";
}

std::vector<Permission> permissions_for(const Asked& asked) {
  const std::string_view service = asked.service.model.name;
  const PermissionRow* const row = find_row(service, asked.operation.name);
  const Arns arns(asked);
  const std::string_view name =
      row != nullptr && !row->action.empty() ? row->action : asked.operation.name;
  const std::string action = fmt::format("{}:{}", service, name);
  std::vector<Permission> all;
  Texts resources = row != nullptr     ? arns.of_row(row->resources)
                    : service == "iam" ? arns.of_iam()
                                       : Texts{};
  if (resources.empty()) resources = {"*"};
  for (const std::string& resource : resources)
    all.push_back({.action = action, .resource = resource});
  add_new_resources(asked, arns, all);
  add_passed_profiles(asked, arns, all);
  add_further(asked, arns, all);
  add_tagging(asked, arns, all);
  add_copied_object(asked, all);
  return all;
}

}  // namespace fakes::authorisation
