#include "fakes/authorisation/context.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/lower_case.h"
#include "sim/kernel/time.h"

namespace fakes::authorisation {
namespace {

using sim::iam::Caller;
using Found = std::optional<sim::iam::Values>;

Found some(std::string value) { return sim::iam::Values{std::move(value)}; }
Found if_any(std::string value) { return value.empty() ? Found() : some(std::move(value)); }

const sim::cloud::Instance* instance_of(const Asked& asked, const std::string& id) {
  const auto found = asked.backend.cloud.instances().find({id});
  return found == asked.backend.cloud.instances().end() ? nullptr : &found->second;
}

// The ID at the end of an ARN.
std::string last_part(const std::string& arn) {
  return arn.substr(arn.find_last_of(":/") + 1);  // npos + 1 is 0
}

const sim::cloud::Instance* subject(const Subject& s) {
  return instance_of(s.asked, last_part(s.permission.resource));
}

// The address from which EC2 sees an instance. Clients outside of the cloud are on this machine.
std::string source_address(const Asked& asked, const Caller& caller) {
  const auto* const instance = instance_of(asked, caller.instance);
  return instance != nullptr && !instance->private_ip.empty() ? instance->private_ip : "127.0.0.1";
}

Found parameter(const Asked& asked, std::string_view path) {
  return if_any(value_of(asked.parameters, path));
}

template <class Map>
const sim::cloud::Tags* tags_in(const Map& map, const std::string& id) {
  const auto found = map.find({id});
  return found == map.end() ? nullptr : &found->second.tags;
}

// The tags of a resource. Null if it is not a resource of EC2 with tags.
const sim::cloud::Tags* tags_of(const Asked& asked, const std::string& id) {
  auto& cloud = asked.backend.cloud;
  if (id.starts_with("i-")) return tags_in(cloud.instances(), id);
  if (id.starts_with("vol-")) return tags_in(cloud.volumes(), id);
  if (id.starts_with("snap-")) return tags_in(cloud.snapshots(), id);
  if (id.starts_with("ami-")) return tags_in(cloud.images(), id);
  if (id.starts_with("lt-")) return tags_in(cloud.launch_templates(), id);
  if (id.starts_with("sir-")) return tags_in(cloud.spot_requests(), id);
  if (id.starts_with("sfr-") || id.starts_with("fleet-")) return tags_in(cloud.fleets(), id);
  return nullptr;
}

// The keys and values of the request's tags, in the order of the request. EC2 has Tag or
// TagSpecification, other services have Tags.
struct RequestTags {
  explicit RequestTags(const Asked& asked) {
    for (const std::string_view list : {"TagSpecification.Tag", "Tag", "Tags"}) {
      const std::string path(list);
      for (const api::Parameter& one : asked.parameters) {
        if (!one.name.ends_with(".Key") && !one.name.ends_with(".Value")) continue;
        if (!values_of({one}, path + ".Key").empty()) keys.push_back(one.value);
        if (!values_of({one}, path + ".Value").empty()) values.push_back(one.value);
      }
    }
  }
  sim::iam::Values keys, values;
};

// A header of the request; empty for requests that are structs.
Found header(const Subject& s, std::string_view name) {
  const auto* const found = s.http != nullptr ? s.http->headers.find(name) : nullptr;
  return found != nullptr ? some(*found) : Found();
}

// The value of the first of these parameters that the request has.
Found either(const Asked& asked, std::string_view path, std::string_view other) {
  const auto given = parameter(asked, path);
  return given ? given : parameter(asked, other);
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
       const auto& roles = s.asked.backend.iam->roles();
       const auto role = roles.find(s.caller.name);
       const bool is_role = s.caller.kind == Caller::Kind::kRole && role != roles.end();
       return some(is_role ? role->second.arn : s.caller.arn);
     }},
    {"aws:principalaccount", [](const Subject& s) { return some(s.caller.account); }},
    {"aws:principaltype",
     [](const Subject& s) {
       if (s.caller.kind == Caller::Kind::kRoot) return some("Account");
       return some(s.caller.kind == Caller::Kind::kUser ? "User" : "AssumedRole");
     }},
    {"aws:userid", [](const Subject& s) { return some(s.caller.id); }},
    {"aws:username",
     [](const Subject& s) {
       return if_any(s.caller.kind == Caller::Kind::kUser ? s.caller.name : "");
     }},
    {"aws:tokenissuetime",
     [](const Subject& s) {
       return s.caller.token_issued ? some(sim::iso_seconds(*s.caller.token_issued)) : Found();
     }},
    {"aws:multifactorauthpresent",
     [](const Subject& s) { return s.caller.token_issued ? some("false") : Found(); }},
    {"ec2:sourceinstancearn",
     [](const Subject& s) {
       return s.caller.instance.empty() ? Found()
                                        : some(fmt::format("arn:aws:ec2:{}:{}:instance/{}",
                                                           s.asked.backend.cloud.config().region,
                                                           s.caller.account, s.caller.instance));
     }},
    // ---- the request
    {"aws:currenttime",
     [](const Subject& s) { return some(sim::iso_seconds(s.asked.backend.simulation.now())); }},
    {"aws:epochtime",
     [](const Subject& s) {
       const auto now = s.asked.backend.simulation.now().time_since_epoch();
       return some(std::to_string(std::chrono::floor<std::chrono::seconds>(now).count()));
     }},
    {"aws:requestedregion",
     [](const Subject& s) {
       return some(s.asked.service.global ? "us-east-1" : s.asked.backend.cloud.config().region);
     }},
    {"aws:securetransport", [](const Subject&) { return some("true"); }},
    {"aws:sourceip", [](const Subject& s) { return some(source_address(s.asked, s.caller)); }},
    {"aws:viaawsservice", [](const Subject&) { return some("false"); }},
    {"aws:useragent", [](const Subject& s) { return header(s, "user-agent"); }},
    {"aws:resourceaccount", [](const Subject& s) { return some(s.caller.account); }},
    {"aws:tagkeys",
     [](const Subject& s) {
       const RequestTags tags(s.asked);
       return tags.keys.empty() ? Found() : Found(tags.keys);
     }},
    // ---- EC2
    {"ec2:region", [](const Subject& s) { return some(s.asked.backend.cloud.config().region); }},
    {"ec2:createaction", [](const Subject& s) { return if_any(s.permission.create_action); }},
    {"ec2:instancetype",
     [](const Subject& s) {
       if (const auto* const instance = subject(s)) return some(instance->spec.instance_type);
       return either(s.asked, "InstanceType", "LaunchSpecification.InstanceType");
     }},
    {"ec2:availabilityzone",
     [](const Subject& s) {
       if (const auto* const instance = subject(s)) return some(instance->spec.availability_zone);
       return either(s.asked, "Placement.AvailabilityZone", "AvailabilityZone");
     }},
    {"ec2:instanceprofile",
     [](const Subject& s) {
       const auto* const instance = subject(s);
       std::string name = instance != nullptr ? instance->spec.iam_instance_profile : "";
       for (const char* path : {"IamInstanceProfile.Arn", "IamInstanceProfile.Name"})
         if (name.empty()) name = value_of(s.asked.parameters, path);
       const auto* const profile = s.asked.backend.iam->find_instance_profile(name);
       return profile != nullptr ? some(profile->arn) : Found();
     }},
    {"ec2:instancemarkettype",
     [](const Subject& s) {
       const std::string type = value_of(s.asked.parameters, "InstanceMarketOptions.MarketType");
       return some(type.empty() ? "on-demand" : type);
     }},
    {"ec2:volumesize", [](const Subject& s) { return parameter(s.asked, "Size"); }},
    {"ec2:volumetype",
     [](const Subject& s) {
       const auto given = parameter(s.asked, "VolumeType");
       return given ? given : some("gp2");
     }},
    {"ec2:encrypted",
     [](const Subject& s) {
       return some(value_of(s.asked.parameters, "Encrypted") == "true" ? "true" : "false");
     }},
    {"ec2:imageid", [](const Subject& s) { return parameter(s.asked, "ImageId"); }},
    {"ec2:metadatahttptokens",
     [](const Subject& s) { return parameter(s.asked, "MetadataOptions.HttpTokens"); }},
    // ---- IAM and STS
    {"iam:passedtoservice", [](const Subject& s) { return if_any(s.permission.passed_to); }},
    {"iam:policyarn", [](const Subject& s) { return parameter(s.asked, "PolicyArn"); }},
    {"iam:permissionsboundary",
     [](const Subject& s) { return parameter(s.asked, "PermissionsBoundary"); }},
    {"iam:awsservicename", [](const Subject& s) { return parameter(s.asked, "AWSServiceName"); }},
    {"sts:externalid", [](const Subject& s) { return parameter(s.asked, "ExternalId"); }},
    {"sts:rolesessionname", [](const Subject& s) { return parameter(s.asked, "RoleSessionName"); }},
    // ---- S3 and SageMaker
    {"s3:prefix", [](const Subject& s) { return either(s.asked, "prefix", "Prefix"); }},
    {"s3:delimiter", [](const Subject& s) { return either(s.asked, "delimiter", "Delimiter"); }},
    {"s3:max-keys", [](const Subject& s) { return either(s.asked, "max-keys", "MaxKeys"); }},
    {"s3:x-amz-acl", [](const Subject& s) { return header(s, "x-amz-acl"); }},
    {"s3:x-amz-server-side-encryption",
     [](const Subject& s) { return header(s, "x-amz-server-side-encryption"); }},
    {"sagemaker:instancetypes",
     [](const Subject& s) { return parameter(s.asked, "ResourceConfig.InstanceType"); }},
};

Found tag_of_resource(const Subject& s, std::string_view key) {
  const std::string id = last_part(s.permission.resource);
  if (const auto* const tags = tags_of(s.asked, id)) {
    for (const auto& [name, value] : *tags)
      if (base::lower_case(name) == key) return some(value);
    return {};
  }
  if (!s.permission.resource.starts_with("arn:aws:iam:")) return {};
  const auto& account = *s.asked.backend.iam;
  const auto find = [&](const auto& all) -> Found {
    const auto found = all.find(id);
    if (found == all.end() || found->second.arn != s.permission.resource) return {};
    const auto tag = found->second.tags.find(key);
    return tag == found->second.tags.end() ? Found() : some(tag->second);
  };
  if (auto tag = find(account.roles())) return tag;
  return find(account.users());
}

Found tag_of_principal(const Subject& s, std::string_view key) {
  const auto& account = *s.asked.backend.iam;
  const auto find = [&](const auto& all) -> Found {
    const auto found = all.find(s.caller.name);
    if (found == all.end()) return {};
    const auto tag = found->second.tags.find(key);
    return tag == found->second.tags.end() ? Found() : some(tag->second);
  };
  if (s.caller.kind == Caller::Kind::kRole) return find(account.roles());
  return s.caller.kind == Caller::Kind::kUser ? find(account.users()) : Found();
}

Found tag_of_request(const Subject& s, std::string_view key) {
  const RequestTags tags(s.asked);
  for (std::size_t i = 0; i < std::min(tags.keys.size(), tags.values.size()); ++i)
    if (base::lower_case(tags.keys[i]) == key) return some(tags.values[i]);
  return {};
}

}  // namespace

Found find_key(const Subject& subject, std::string_view key) {
  for (const std::string_view prefix : {"ec2:resourcetag/", "aws:resourcetag/", "iam:resourcetag/"})
    if (key.starts_with(prefix)) return tag_of_resource(subject, key.substr(prefix.size()));
  constexpr std::string_view kPrincipal = "aws:principaltag/", kRequest = "aws:requesttag/";
  if (key.starts_with(kPrincipal)) return tag_of_principal(subject, key.substr(kPrincipal.size()));
  if (key.starts_with(kRequest)) return tag_of_request(subject, key.substr(kRequest.size()));
  const auto row = std::ranges::find(kKeys, key, &KeyRow::key);
  return row == std::end(kKeys) ? Found() : row->value(subject);
}

sim::iam::ContextKeys keys_of(const Subject& subject) {
  return [&subject](std::string_view key) { return find_key(subject, key); };
}

}  // namespace fakes::authorisation
