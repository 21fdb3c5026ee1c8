// VPCs. The model has no IPv6.
#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::vpc::Vpc;
using Values = std::vector<std::string>;

// Names that are derived from the VPC's ID. Each VPC has one of each.
std::string association_id(const Vpc& vpc) { return "vpc-cidr-assoc-" + vpc.id.substr(4); }
// "default": AWS's own DHCP options.
std::string dhcp_options_of(const Vpc& vpc) {
  return vpc.dhcp_options.empty() ? "default" : vpc.dhcp_options;
}

constexpr FilterRow<Vpc> kVpcFilters[] = {
    {"cidr", [](const Vpc& v, Backend&) { return Values{text(v.cidr)}; }},
    {"cidr-block", [](const Vpc& v, Backend&) { return Values{text(v.cidr)}; }},
    {"cidrBlock", [](const Vpc& v, Backend&) { return Values{text(v.cidr)}; }},
    {"is-default", [](const Vpc& v, Backend&) { return Values{v.is_default ? "true" : "false"}; }},
    {"isDefault", [](const Vpc& v, Backend&) { return Values{v.is_default ? "true" : "false"}; }},
    {"state", [](const Vpc&, Backend&) { return Values{"available"}; }},
    {"vpc-id", [](const Vpc& v, Backend&) { return Values{v.id}; }},
    {"cidr-block-association.cidr-block",
     [](const Vpc& v, Backend&) { return Values{text(v.cidr)}; }},
    {"cidr-block-association.association-id",
     [](const Vpc& v, Backend&) { return Values{association_id(v)}; }},
    {"cidr-block-association.state", [](const Vpc&, Backend&) { return Values{"associated"}; }},
    {"owner-id", [](const Vpc&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"dhcp-options-id", [](const Vpc& v, Backend&) { return Values{dhcp_options_of(v)}; }},
    {"ipv6-cidr-block-association.ipv6-cidr-block", no_value<Vpc>},
    {"ipv6-cidr-block-association.association-id", no_value<Vpc>},
    {"ipv6-cidr-block-association.ipv6-pool", no_value<Vpc>},
    {"ipv6-cidr-block-association.state", no_value<Vpc>},
};

aws::Vpc shown(const Call& call, const Vpc& vpc) {
  const auto associated = aws::VpcCidrBlockState{.state = "associated"};
  return {.cidr_block = text(vpc.cidr),
          .cidr_block_association_set = {{.association_id = association_id(vpc),
                                          .cidr_block = text(vpc.cidr),
                                          .cidr_block_state = associated}},
          .dhcp_options_id = dhcp_options_of(vpc),
          .instance_tenancy = vpc.tenancy,
          .is_default = vpc.is_default,
          .owner_id = call.cloud.config().account_id,
          .state = "available",
          .tags = shown_tags(vpc.tags),
          .vpc_id = vpc.id};
}

// The attributes that ModifyVpcAttribute changes and DescribeVpcAttribute shows.
struct VpcAttribute {
  std::string_view name;
  bool Vpc::*value;
  api::Opt<aws::AttributeBooleanValue> aws::DescribeVpcAttributeResult::*shown;
  api::Opt<aws::AttributeBooleanValue> aws::ModifyVpcAttributeRequest::*asked;
};
constexpr VpcAttribute kVpcAttributes[] = {
    {"enableDnsHostnames", &Vpc::dns_hostnames,
     &aws::DescribeVpcAttributeResult::enable_dns_hostnames,
     &aws::ModifyVpcAttributeRequest::enable_dns_hostnames},
    {"enableDnsSupport", &Vpc::dns_support, &aws::DescribeVpcAttributeResult::enable_dns_support,
     &aws::ModifyVpcAttributeRequest::enable_dns_support},
    {"enableNetworkAddressUsageMetrics", &Vpc::address_usage_metrics,
     &aws::DescribeVpcAttributeResult::enable_network_address_usage_metrics,
     &aws::ModifyVpcAttributeRequest::enable_network_address_usage_metrics},
};

Vpc& find_vpc(const Call& call, const api::Opt<std::string>& id) {
  return call.cloud.network().vpcs.table.find(required(id, "vpcId"));
}

}  // namespace

aws::CreateVpcResult create_vpc(Call& call, const aws::CreateVpcRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "vpc");
  if (request.amazon_provided_ipv6_cidr_block.value_or(false))
    throw unsupported("AmazonProvidedIpv6CidrBlock");
  const std::string tenancy =
      choice(request.instance_tenancy, "InstanceTenancy", {"default", "dedicated"});
  const Vpc& made =
      call.cloud.network().create_vpc(required(request.cidr_block, "cidrBlock"), tenancy);
  tag_new(call, made.id, tags);
  return {.vpc = shown(call, made)};
}

aws::CreateDefaultVpcResult create_default_vpc(Call& call, const aws::CreateDefaultVpcRequest&) {
  return {.vpc = shown(call, call.cloud.network().create_default_vpc())};
}

op::DeleteVpc::Response delete_vpc(Call& call, const aws::DeleteVpcRequest& request) {
  call.cloud.network().delete_vpc(required(request.vpc_id, "vpcId"));
  return {};
}

aws::DescribeVpcsResult describe_vpcs(Call& call, const aws::DescribeVpcsRequest& request) {
  const Filters<Vpc> filters(request.filters, kVpcFilters, resource_tags<Vpc>);
  const Page page(request, {.of = "vpcs", .low = 5, .high = 1000});
  const auto& vpcs = call.cloud.network().vpcs.table;
  auto found = filters.of(vpcs.all(), "vpc-id", call.backend, request.vpc_ids,
                          [&](const auto& id) -> const Vpc& { return vpcs.find(id); });
  aws::DescribeVpcsResult response{.next_token = page.cut(found)};
  response.vpcs.give();
  for (const Vpc* vpc : found) response.vpcs.push_back(shown(call, *vpc));
  return response;
}

aws::DescribeVpcAttributeResult describe_vpc_attribute(
    Call& call, const aws::DescribeVpcAttributeRequest& request) {
  const Vpc& vpc = find_vpc(call, request.vpc_id);
  aws::DescribeVpcAttributeResult response{.vpc_id = vpc.id};
  const std::string& name = required(request.attribute, "attribute");
  for (const VpcAttribute& attribute : kVpcAttributes)
    if (attribute.name == name)
      response.*attribute.shown = aws::AttributeBooleanValue{.value = vpc.*attribute.value};
  return response;
}

// Only from dedicated to default (EC2 API reference). The model checks the value.
aws::ModifyVpcTenancyResult modify_vpc_tenancy(Call& call,
                                               const aws::ModifyVpcTenancyRequest& request) {
  find_vpc(call, request.vpc_id).tenancy = required(request.instance_tenancy, "instanceTenancy");
  return {.return_value = true};
}

op::ModifyVpcAttribute::Response modify_vpc_attribute(
    Call& call, const aws::ModifyVpcAttributeRequest& request) {
  Vpc& vpc = find_vpc(call, request.vpc_id);
  const auto given = std::ranges::count_if(
      kVpcAttributes, [&](const VpcAttribute& a) { return (request.*a.asked).has_value(); });
  if (given == 0) throw missing("attribute");
  if (given > 1)
    throw sim::cloud::ApiError("InvalidParameterCombination",
                               "Fields for multiple attribute types specified: you can modify one "
                               "attribute at a time.");
  for (const VpcAttribute& attribute : kVpcAttributes)
    if (const auto& asked = request.*attribute.asked)
      vpc.*attribute.value = asked->value.value_or(false);
  return {};
}

}  // namespace fakes::ec2
