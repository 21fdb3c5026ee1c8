// Network ACLs. Each VPC has a default ACL that allows all traffic. No others can be created.
#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using Values = std::vector<std::string>;

constexpr std::int64_t kLastRule = 32767;  // the rule "*" for all remaining traffic

// A VPC's ACL with its subnets. The IDs of an ACL and of its associations with subnets are derived
// from the IDs of the VPC and the subnets.
struct Acl {
  std::string id, vpc;
  std::vector<std::string> subnets;
};
std::string association_of(const std::string& subnet) { return "aclassoc-" + subnet.substr(7); }

Values associations(const Acl& acl) {
  Values all;
  for (const auto& subnet : acl.subnets) all.push_back(association_of(subnet));
  return all;
}

constexpr FilterRow<Acl> kAclFilters[] = {
    {"association.association-id", [](const Acl& a, Backend&) { return associations(a); }},
    {"association.network-acl-id", [](const Acl& a, Backend&) { return Values{a.id}; }},
    {"association.subnet-id", [](const Acl& a, Backend&) { return Values(a.subnets); }},
    {"default", [](const Acl&, Backend&) { return Values{"true"}; }},
    {"entry.cidr", [](const Acl&, Backend&) { return Values{"0.0.0.0/0"}; }},
    {"entry.protocol", [](const Acl&, Backend&) { return Values{"-1"}; }},
    {"entry.rule-action",
     [](const Acl&, Backend&) {
       return Values{"allow", "deny"};
     }},
    {"entry.egress",
     [](const Acl&, Backend&) {
       return Values{"true", "false"};
     }},
    {"entry.rule-number",
     [](const Acl&, Backend&) {
       return Values{"100", "32767"};
     }},
    {"entry.icmp.code", no_value<Acl>},
    {"entry.icmp.type", no_value<Acl>},
    {"entry.ipv6-cidr", no_value<Acl>},
    {"entry.port-range.from", no_value<Acl>},
    {"entry.port-range.to", no_value<Acl>},
    {"network-acl-id", [](const Acl& a, Backend&) { return Values{a.id}; }},
    {"owner-id", [](const Acl&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"vpc-id", [](const Acl& a, Backend&) { return Values{a.vpc}; }},
};

const sim::cloud::Tags& no_tags(const Acl&) {
  static const sim::cloud::Tags none;
  return none;
}

std::vector<Acl> all_acls(const Call& call) {
  std::vector<Acl> all;
  const auto& network = call.cloud.network();
  for (const auto& [id, vpc] : network.vpcs.table.all()) {
    all.push_back({"acl-" + id.substr(4), id, {}});
    for (const auto& [subnet_id, subnet] : network.subnets.table.all())
      if (subnet.vpc == id) all.back().subnets.push_back(subnet_id);
  }
  return all;
}

aws::NetworkAcl shown(const Call& call, const Acl& acl) {
  aws::NetworkAcl out{.is_default = true,
                      .network_acl_id = acl.id,
                      .owner_id = call.cloud.config().account_id,
                      .vpc_id = acl.vpc};
  out.tags.give();
  out.associations.give();
  for (const auto& subnet : acl.subnets)
    out.associations.push_back({.network_acl_association_id = association_of(subnet),
                                .network_acl_id = acl.id,
                                .subnet_id = subnet});
  for (const bool egress : {true, false})
    for (const auto& [action, number] :
         {std::pair("allow", std::int64_t{100}), {"deny", kLastRule}})
      out.entries.push_back({.cidr_block = "0.0.0.0/0",
                             .egress = egress,
                             .protocol = "-1",
                             .rule_action = action,
                             .rule_number = number});
  return out;
}

}  // namespace

aws::DescribeNetworkAclsResult describe_network_acls(
    Call& call, const aws::DescribeNetworkAclsRequest& request) {
  const Filters<Acl> filters(request.filters, kAclFilters, no_tags);
  const Page page(request, {.of = "acls", .low = 5, .high = 1000});
  auto found = all_acls(call);
  const auto& ids = request.network_acl_ids;
  for (const auto& id : ids)
    if (std::ranges::find(found, id, &Acl::id) == found.end())
      throw ApiError("InvalidNetworkAclID.NotFound",
                     "The networkAcl ID '" + id + "' does not exist");
  std::erase_if(found, [&](const Acl& acl) {
    return (!ids.empty() && std::ranges::find(ids, acl.id) == ids.end()) ||
           !filters.match(acl, call.backend);
  });
  aws::DescribeNetworkAclsResult response{.next_token = page.cut(found)};
  response.network_acls.give();
  for (const Acl& acl : found) response.network_acls.push_back(shown(call, acl));
  return response;
}

}  // namespace fakes::ec2
