#include "fakes/authorisation/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text/lower_case.h"
#include "fakes/authorisation/ec2_keys.h"
#include "fakes/authorisation/service_keys.h"
#include "fakes/cloudwatch/monitoring.h"
#include "fakes/fis/tags.h"
#include "fakes/messaging.h"
#include "fakes/regions.h"
#include "sim/kernel/time.h"
#include "sim/vpc/network.h"

namespace fakes::authorisation {
namespace {

using sim::iam::Caller;
using Found = std::optional<sim::iam::Values>;

// The address from which EC2 sees an instance. Clients outside of the cloud are on this machine.
std::string source_address(const RequestContext& context, const Caller& caller) {
  const auto* const instance = find_instance(context, caller.instance);
  return instance != nullptr && !instance->private_ip.empty() ? instance->private_ip : "127.0.0.1";
}

bool is_via_service(const Subject& s) { return !s.caller.called_via.empty(); }

Found parameter(const RequestContext& context, std::string_view path) {
  return if_any(value_of(context.parameters, path));
}

// ---- tags of resources

using sim::cloud::Tags;

template <class Map>
const Tags* tags_in(const Map& map, const std::string& id) {
  const auto found = map.find({id});
  return found == map.end() ? nullptr : &found->second.tags;
}

template <class Row>
const Tags* tags_in(const sim::vpc::Table<Row>& table, const std::string& id) {
  return table.has(id) ? &table.find(id).tags : nullptr;
}

template <class Resource>
const Tags* tags_if(const Resource* found) {
  return found != nullptr ? &found->tags : nullptr;
}

const Tags* rule_tags(const sim::vpc::SecurityGroups& groups, const std::string& id) {
  for (const auto& [group_id, group] : groups.table.all())
    for (const sim::vpc::Rule& rule : group.rules)
      if (rule.id == id) return &rule.tags;
  return nullptr;
}

// The region of an ARN differs from the request's for the source of a copy.
Backend& region_in(Backend& backend, const std::string& arn) {
  constexpr std::size_t kRegion = std::string_view("arn:aws:ec2:").size();
  Backend* const found =
      find_region(backend, arn.substr(kRegion, arn.find(':', kRegion) - kRegion));
  return found != nullptr ? *found : backend;
}

const Tags* ec2_tags(Backend& backend, const std::string& arn) {
  auto& cloud = region_in(backend, arn).cloud;
  const auto& network = cloud.network();
  const std::string id = id_in(arn);
  if (resource_type(arn) == "key-pair") return tags_if(network.key_pairs.named(id));
  if (resource_type(arn) == "placement-group") return tags_if(network.placement_groups.named(id));
  if (id.starts_with("i-")) return tags_in(cloud.instances(), id);
  if (id.starts_with("vol-")) return tags_in(cloud.volumes(), id);
  if (id.starts_with("snap-")) return tags_in(cloud.snapshots(), id);
  if (id.starts_with("ami-")) return tags_in(cloud.images(), id);
  if (id.starts_with("lt-")) return tags_in(cloud.launch_templates(), id);
  if (id.starts_with("sir-")) return tags_in(cloud.spot_requests(), id);
  if (id.starts_with("sfr-") || id.starts_with("fleet-")) return tags_in(cloud.fleets(), id);
  if (id.starts_with("vpc-")) return tags_in(network.vpcs.table, id);
  if (id.starts_with("subnet-")) return tags_in(network.subnets.table, id);
  if (id.starts_with("sg-")) return tags_in(network.groups.table, id);
  if (id.starts_with("sgr-")) return rule_tags(network.groups, id);
  if (id.starts_with("eni-")) return tags_in(network.interfaces.table, id);
  if (id.starts_with("igw-")) return tags_in(network.gateways.table, id);
  if (id.starts_with("rtb-")) return tags_in(network.route_tables.table, id);
  if (id.starts_with("dopt-")) return tags_in(network.vpcs.dhcp_options, id);
  return id.starts_with("eipalloc-") ? tags_in(network.addresses.table, id) : nullptr;
}

const Tags* queue_tags(Backend& backend, const std::string& arn) {
  return backend.messaging ? tags_if(backend.messaging->queues.find_arn(arn)) : nullptr;
}

const Tags* topic_tags(Backend& backend, const std::string& arn) {
  if (!backend.messaging) return nullptr;
  const auto& topics = backend.messaging->topics.all();
  const auto found = topics.find(arn);
  return found == topics.end() ? nullptr : &found->second.tags;
}

const Tags* rule_or_bus_tags(Backend& backend, const std::string& arn) {
  if (!backend.messaging) return nullptr;
  for (const auto& [bus_name, bus] : backend.messaging->buses.buses()) {
    if (bus.arn == arn) return &bus.tags;
    for (const auto& [name, rule] : bus.rules)
      if (rule.arn == arn) return &rule.tags;
  }
  return nullptr;
}

// The name of a parameter with a path begins with a slash, which its ARN has before the path.
const Tags* parameter_tags(Backend& backend, const std::string& arn) {
  constexpr std::string_view kKind = ":parameter";
  const auto kind = arn.find(kKind);
  if (kind == arn.npos) return nullptr;
  const std::string path = arn.substr(kind + kKind.size());
  if (const auto* const found = backend.parameters.find(path)) return &found->tags;
  return tags_if(backend.parameters.find(path.substr(std::min<std::size_t>(1, path.size()))));
}

const Tags* log_group_tags(Backend& backend, const std::string& arn) {
  constexpr std::string_view kKind = ":log-group:";
  const auto kind = arn.find(kKind);
  if (kind == arn.npos) return nullptr;
  const std::string name = arn.substr(kind + kKind.size());
  const auto& groups = backend.logs.groups();
  const auto found = groups.find(name.substr(0, name.find(':')));
  return found == groups.end() ? nullptr : &found->second.tags;
}

const Tags* alarm_tags(Backend& backend, const std::string& arn) {
  if (!backend.monitoring) return nullptr;
  for (const auto& [name, alarm] : backend.monitoring->alarms.all())
    if (alarm.arn == arn) return &alarm.tags;
  return nullptr;
}

const Tags* job_tags(Backend& backend, const std::string& arn) {
  const auto found = backend.training_tags.find(arn);
  return found == backend.training_tags.end() ? nullptr : &found->second;
}

struct TaggedService {
  std::string_view arns;  // the beginning of their ARNs
  const Tags* (*tags)(Backend& backend, const std::string& arn);
};
constexpr TaggedService kTaggedServices[] = {
    {"arn:aws:ec2:", ec2_tags},       {"arn:aws:sqs:", queue_tags},
    {"arn:aws:sns:", topic_tags},     {"arn:aws:events:", rule_or_bus_tags},
    {"arn:aws:ssm:", parameter_tags}, {"arn:aws:logs:", log_group_tags},
    {"arn:aws:fis:", fis::find_tags}, {"arn:aws:cloudwatch:", alarm_tags},
    {"arn:aws:sagemaker:", job_tags}};

// The tags of an existing resource. Null for IAM's resources, and for others without tags.
const Tags* tags_of(Backend& backend, const std::string& arn) {
  for (const TaggedService& service : kTaggedServices)
    if (arn.starts_with(service.arns)) return service.tags(backend, arn);
  return nullptr;
}

// The tags of a role, user, policy or instance profile; null for another resource.
const sim::iam::Tags* iam_tags(const sim::iam::Account& account, const std::string& arn) {
  const std::string name = id_in(arn);
  const sim::iam::Tags* tags = nullptr;
  const auto look_in = [&](const auto& all) {
    const auto found = all.find(name);
    if (found != all.end() && found->second.arn == arn) tags = &found->second.tags;
  };
  look_in(account.roles());
  look_in(account.users());
  look_in(account.instance_profiles());
  for (const sim::iam::Policy* const policy : account.policies())
    if (policy->arn == arn) tags = &policy->tags;
  return tags;
}

// ---- the request

// The request's tags, in its order. EC2 has Tag or TagSpecification, other services have Tags as a
// list or a map. A TagSpecification counts for resources of its type only (EC2 User Guide, "Grant
// permission to tag Amazon EC2 resources during creation").
struct RequestTags {
  explicit RequestTags(const Subject& s) {
    const std::string_view type = resource_type(s.permission.resource);
    const api::Parameters& parameters = s.context.parameters;
    for (const api::Parameter& one : parameters) {
      if (!is_of_tag(one)) continue;
      if (!type.empty() && !is_for(type, one.name, parameters)) continue;
      constexpr std::string_view kKey = "Key";
      const std::string tag = one.name.substr(0, one.name.size() - kKey.size());
      const char* const value = one.name.ends_with(kKey) ? "Value" : "value";
      all.emplace_back(one.value, api::find_parameter(parameters, tag + value));
    }
  }
  std::vector<std::pair<std::string, std::string>> all;  // keys and values

 private:
  static bool is_of_tag(const api::Parameter& key) {
    for (const char* list :
         {"TagSpecification.Tag.Key", "Tag.Key", "Tags.Key", "tags.Key", "tags.entry.key"})
      if (!values_of({key}, list).empty()) return true;
    return false;
  }
  // Whether a parameter such as TagSpecification.1.Tag.2.Key is for resources of this type.
  static bool is_for(std::string_view type, std::string_view name,
                     const api::Parameters& parameters) {
    constexpr std::string_view kList = "TagSpecification.";
    if (!name.starts_with(kList)) return true;
    const std::string item(name.substr(0, name.find('.', kList.size())));
    return api::find_parameter(parameters, item + ".ResourceType") == type;
  }
};

// The keys of the tags that a request adds or removes.
Found tag_keys(const Subject& s) {
  sim::iam::Values keys;
  for (const auto& [key, value] : RequestTags(s).all) keys.push_back(key);
  for (const char* list : {"TagKeys", "tagKeys"})
    for (std::string& key : values_of(s.context.parameters, list)) keys.push_back(std::move(key));
  return keys.empty() ? Found() : Found(std::move(keys));
}

// A header of the request; empty for requests that are structs.
Found header(const Subject& s, std::string_view name) {
  const auto* const found =
      s.context.http != nullptr ? s.context.http->headers.find(name) : nullptr;
  return found != nullptr ? some(*found) : Found();
}

// The value of the first of these parameters that the request has.
Found either(const RequestContext& context, std::string_view path, std::string_view other) {
  const auto given = parameter(context, path);
  return given ? given : parameter(context, other);
}

// A flag of an action's request: "false" if the request omits it.
Found flag(const Subject& s, std::string_view action, std::string_view parameter) {
  if (s.permission.action != action) return {};
  return some(value_of(s.context.parameters, parameter) == "true" ? "true" : "false");
}

struct KeyRow {
  std::string_view key;
  Found (*value)(const Subject& subject);
};
constexpr KeyRow kKeys[] = {
    // ---- the caller
    {"aws:principalarn",
     [](const Subject& s) {
       // A session's principal is its role.
       const auto& roles = s.context.backend.iam->roles();
       const auto role = roles.find(s.caller.name);
       const bool is_role = s.caller.kind == Caller::Kind::kRole && role != roles.end();
       return some(is_role ? role->second.arn : s.caller.arn);
     }},
    {"aws:principalaccount", [](const Subject& s) { return some(s.caller.account); }},
    {"aws:principaltype",
     [](const Subject& s) {
       if (s.caller.kind == Caller::Kind::kRoot) return some("Account");
       if (s.caller.kind == Caller::Kind::kFederated) return some("FederatedUser");
       return some(s.caller.kind == Caller::Kind::kUser ? "User" : "AssumedRole");
     }},
    {"aws:userid", [](const Subject& s) { return some(s.caller.id); }},
    {"aws:username",
     [](const Subject& s) {
       return if_any(s.caller.kind == Caller::Kind::kUser ? s.caller.name : "");
     }},
    {"aws:sourceidentity", [](const Subject& s) { return if_any(s.caller.source_identity); }},
    {"aws:tokenissuetime",
     [](const Subject& s) {
       return s.caller.token_issued ? some(sim::iso_seconds(*s.caller.token_issued)) : Found();
     }},
    {"aws:multifactorauthpresent",
     [](const Subject& s) { return s.caller.token_issued ? some("false") : Found(); }},
    // ---- the request
    {"aws:currenttime",
     [](const Subject& s) { return some(sim::iso_seconds(s.context.backend.simulation.now())); }},
    {"aws:epochtime",
     [](const Subject& s) {
       const auto now = s.context.backend.simulation.now().time_since_epoch();
       return some(std::to_string(std::chrono::floor<std::chrono::seconds>(now).count()));
     }},
    {"aws:requestedregion",
     [](const Subject& s) {
       return some(s.context.is_global ? "us-east-1" : s.context.backend.cloud.config().region);
     }},
    {"aws:securetransport", [](const Subject&) { return some("true"); }},
    {"aws:sourceip",
     [](const Subject& s) {  // a service calls from its own address
       return is_via_service(s) ? Found() : some(source_address(s.context, s.caller));
     }},
    {"aws:viaawsservice",
     [](const Subject& s) { return some(is_via_service(s) ? "true" : "false"); }},
    {"aws:calledvia",
     [](const Subject& s) { return is_via_service(s) ? Found(s.caller.called_via) : Found(); }},
    {"aws:calledviafirst",
     [](const Subject& s) {
       return is_via_service(s) ? some(s.caller.called_via.front()) : Found();
     }},
    {"aws:calledvialast",
     [](const Subject& s) {
       return is_via_service(s) ? some(s.caller.called_via.back()) : Found();
     }},
    {"aws:useragent", [](const Subject& s) { return header(s, "user-agent"); }},
    {"aws:resourceaccount", [](const Subject& s) { return some(s.caller.account); }},
    {"aws:tagkeys", tag_keys},
    // ---- IAM and STS
    {"iam:passedtoservice", [](const Subject& s) { return if_any(s.permission.passed_to); }},
    {"iam:policyarn", [](const Subject& s) { return parameter(s.context, "PolicyArn"); }},
    {"iam:permissionsboundary",
     [](const Subject& s) { return parameter(s.context, "PermissionsBoundary"); }},
    {"iam:awsservicename", [](const Subject& s) { return parameter(s.context, "AWSServiceName"); }},
    {"sts:externalid", [](const Subject& s) { return parameter(s.context, "ExternalId"); }},
    {"sts:rolesessionname",
     [](const Subject& s) { return parameter(s.context, "RoleSessionName"); }},
    // ---- Systems Manager (User Guide, "Preventing access to Parameter Store API operations")
    {"ssm:overwrite", [](const Subject& s) { return flag(s, "ssm:PutParameter", "Overwrite"); }},
    {"ssm:recursive",
     [](const Subject& s) { return flag(s, "ssm:GetParametersByPath", "Recursive"); }},
    // ---- S3 and SageMaker
    {"s3:prefix", [](const Subject& s) { return either(s.context, "prefix", "Prefix"); }},
    {"s3:delimiter", [](const Subject& s) { return either(s.context, "delimiter", "Delimiter"); }},
    {"s3:max-keys", [](const Subject& s) { return either(s.context, "max-keys", "MaxKeys"); }},
    {"s3:x-amz-acl", [](const Subject& s) { return header(s, "x-amz-acl"); }},
    {"s3:x-amz-server-side-encryption",
     [](const Subject& s) { return header(s, "x-amz-server-side-encryption"); }},
    {"sagemaker:instancetypes",
     [](const Subject& s) { return parameter(s.context, "ResourceConfig.InstanceType"); }},
};

Found tag_of_resource(const Subject& s, std::string_view key) {
  const std::string& arn = s.permission.resource;
  if (arn.starts_with("arn:aws:autoscaling:")) return tag_of_group(s, key);
  if (arn.starts_with("arn:aws:iam:")) {
    const auto* const tags = iam_tags(*s.context.backend.iam, arn);
    if (tags == nullptr) return {};
    const auto tag = tags->find(key);
    return tag == tags->end() ? Found() : some(tag->second);
  }
  if (const auto* const tags = tags_of(s.context.backend, arn))
    for (const auto& [name, value] : *tags)
      if (base::lower_case(name) == key) return some(value);
  return {};
}

// A session's tag replaces the role's tag of this name (IAM User Guide, "Pass session tags in AWS
// STS").
Found tag_of_principal(const Subject& s, std::string_view key) {
  if (const auto own = s.caller.tags.find(key); own != s.caller.tags.end())
    return some(own->second);
  const auto& account = *s.context.backend.iam;
  const auto find = [&](const auto& all) -> Found {
    const auto found = all.find(s.caller.name);
    if (found == all.end()) return {};
    const auto tag = found->second.tags.find(key);
    return tag == found->second.tags.end() ? Found() : some(tag->second);
  };
  if (s.caller.kind == Caller::Kind::kRole) return find(account.roles());
  return s.caller.is_of_user() ? find(account.users()) : Found();
}

Found tag_of_request(const Subject& s, std::string_view key) {
  for (const auto& [name, value] : RequestTags(s).all)
    if (base::lower_case(name) == key) return some(value);
  return {};
}

}  // namespace

Found find_key(const Subject& subject, std::string_view key) {
  const auto& own = subject.context.keys;
  if (const auto found = own.find(key); found != own.end()) return found->second;
  for (const std::string_view prefix :
       {"ec2:resourcetag/", "aws:resourcetag/", "iam:resourcetag/", "autoscaling:resourcetag/"})
    if (key.starts_with(prefix)) return tag_of_resource(subject, key.substr(prefix.size()));
  constexpr std::string_view kPrincipal = "aws:principaltag/", kRequest = "aws:requesttag/";
  if (key.starts_with(kPrincipal)) return tag_of_principal(subject, key.substr(kPrincipal.size()));
  if (key.starts_with(kRequest)) return tag_of_request(subject, key.substr(kRequest.size()));
  if (key.starts_with("ec2:")) return find_ec2_key(subject, key);
  const auto row = std::ranges::find(kKeys, key, &KeyRow::key);
  return row == std::end(kKeys) ? find_service_key(subject, key) : row->value(subject);
}

sim::iam::ContextKeys keys_of(const Subject& subject) {
  return [&subject](std::string_view key) { return find_key(subject, key); };
}

}  // namespace fakes::authorisation
