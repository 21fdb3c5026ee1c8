#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::vpc::InternetGateway;
using Values = std::vector<std::string>;

// EC2 shows an attached gateway as available.
Values attachment_state(const InternetGateway& gateway, Backend&) {
  return gateway.vpc.empty() ? Values{} : Values{"available"};
}

constexpr FilterRow<InternetGateway> kGatewayFilters[] = {
    {"attachment.state", attachment_state},
    {"attachment.vpc-id", [](const InternetGateway& g, Backend&) { return Values{g.vpc}; }},
    {"internet-gateway-id", [](const InternetGateway& g, Backend&) { return Values{g.id}; }},
    {"owner-id",
     [](const InternetGateway&, Backend& w) { return Values{w.cloud.config().account_id}; }},
};

aws::InternetGateway shown(const Call& call, const InternetGateway& gateway) {
  aws::InternetGateway out{.internet_gateway_id = gateway.id,
                           .owner_id = call.cloud.config().account_id,
                           .tags = shown_tags(gateway.tags)};
  out.attachments.give();
  if (!gateway.vpc.empty())
    out.attachments.push_back({.state = "available", .vpc_id = gateway.vpc});
  return out;
}

}  // namespace

aws::CreateInternetGatewayResult create_internet_gateway(
    Call& call, const aws::CreateInternetGatewayRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "internet-gateway");
  const InternetGateway& made = call.cloud.network().create_internet_gateway();
  tag_new(call, made.id, tags);
  return {.internet_gateway = shown(call, made)};
}

op::AttachInternetGateway::Response attach_internet_gateway(
    Call& call, const aws::AttachInternetGatewayRequest& request) {
  call.cloud.network().gateways.attach(required(request.internet_gateway_id, "internetGatewayId"),
                                       required(request.vpc_id, "vpcId"));
  return {};
}

op::DetachInternetGateway::Response detach_internet_gateway(
    Call& call, const aws::DetachInternetGatewayRequest& request) {
  call.cloud.network().detach_internet_gateway(
      required(request.internet_gateway_id, "internetGatewayId"),
      required(request.vpc_id, "vpcId"));
  return {};
}

op::DeleteInternetGateway::Response delete_internet_gateway(
    Call& call, const aws::DeleteInternetGatewayRequest& request) {
  call.cloud.network().gateways.remove(required(request.internet_gateway_id, "internetGatewayId"));
  return {};
}

aws::DescribeInternetGatewaysResult describe_internet_gateways(
    Call& call, const aws::DescribeInternetGatewaysRequest& request) {
  const Filters<InternetGateway> filters(request.filters, kGatewayFilters,
                                         resource_tags<InternetGateway>);
  const Page page(request, {.of = "gateways", .low = 5, .high = 1000});
  const auto& gateways = call.cloud.network().gateways.table;
  auto found =
      filters.of(gateways.all(), "internet-gateway-id", call.backend, request.internet_gateway_ids,
                 [&](const auto& id) -> const InternetGateway& { return gateways.find(id); });
  aws::DescribeInternetGatewaysResult response{.next_token = page.cut(found)};
  response.internet_gateways.give();
  for (const InternetGateway* gateway : found)
    response.internet_gateways.push_back(shown(call, *gateway));
  return response;
}

}  // namespace fakes::ec2
