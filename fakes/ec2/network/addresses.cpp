#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::vpc::ElasticAddress;
using sim::vpc::Interface;
using Values = std::vector<std::string>;

// Returns null if the address is not associated.
const Interface* interface_of(const Backend& backend, const ElasticAddress& address) {
  if (address.interface.empty()) return nullptr;
  return &backend.cloud.network().interfaces.table.find(address.interface);
}

constexpr FilterRow<ElasticAddress> kAddressFilters[] = {
    {"allocation-id", [](const ElasticAddress& a, Backend&) { return Values{a.id}; }},
    {"association-id", [](const ElasticAddress& a, Backend&) { return Values{a.association}; }},
    {"domain", [](const ElasticAddress&, Backend&) { return Values{"vpc"}; }},
    {"instance-id",
     [](const ElasticAddress& a, Backend& w) {
       const auto* const own = interface_of(w, a);
       return own && !own->instance.empty() ? Values{own->instance} : Values{};
     }},
    {"network-border-group",
     [](const ElasticAddress&, Backend& w) { return Values{w.cloud.config().region}; }},
    {"network-interface-id", [](const ElasticAddress& a, Backend&) { return Values{a.interface}; }},
    {"network-interface-owner-id",
     [](const ElasticAddress& a, Backend& w) {
       return a.interface.empty() ? Values{} : Values{w.cloud.config().account_id};
     }},
    {"private-ip-address",
     [](const ElasticAddress& a, Backend& w) {
       const auto* const own = interface_of(w, a);
       return own ? Values{text(own->private_ip)} : Values{};
     }},
    {"public-ip", [](const ElasticAddress& a, Backend&) { return Values{text(a.public_ip)}; }},
};

aws::Address shown(const Call& call, const ElasticAddress& address) {
  const auto& config = call.cloud.config();
  aws::Address out{.allocation_id = address.id,
                   .domain = "vpc",
                   .network_border_group = config.region,
                   .public_ip = text(address.public_ip),
                   .public_ipv4_pool = "amazon",
                   .tags = shown_tags(address.tags)};
  if (const Interface* const own = interface_of(call.backend, address)) {
    out.association_id = address.association;
    if (!own->instance.empty()) out.instance_id = own->instance;
    out.network_interface_id = own->id;
    out.network_interface_owner_id = config.account_id;
    out.private_ip_address = text(own->private_ip);
  }
  return out;
}

// Finds an address by its allocation ID or by the address itself.
const ElasticAddress& find_address(const Call& call, const api::Opt<std::string>& allocation,
                                   const api::Opt<std::string>& public_ip) {
  const auto& addresses = call.cloud.network().addresses;
  if (allocation) return addresses.table.find(*allocation);
  return addresses.at(required(public_ip, "AllocationId"));
}

}  // namespace

aws::AllocateAddressResult allocate_address(Call& call,
                                            const aws::AllocateAddressRequest& request) {
  const auto tags = read_tag_specifications(request.tag_specifications, "elastic-ip");
  choice(request.domain, "Domain", {"vpc", "standard"});
  auto& addresses = call.cloud.network().addresses;
  const ElasticAddress& made =
      request.address ? addresses.recover(*request.address) : addresses.allocate();
  tag_new(call, made.id, tags);
  return {.allocation_id = made.id,
          .domain = "vpc",
          .network_border_group = call.cloud.config().region,
          .public_ip = text(made.public_ip),
          .public_ipv4_pool = "amazon"};
}

op::ReleaseAddress::Response release_address(Call& call,
                                             const aws::ReleaseAddressRequest& request) {
  const std::string id = find_address(call, request.allocation_id, request.public_ip).id;
  call.cloud.network().addresses.release(id);
  return {};
}

// An address may move between instances only if the request permits it (EC2 API reference,
// AssociateAddress).
aws::AssociateAddressResult associate_address(Call& call,
                                              const aws::AssociateAddressRequest& request) {
  const std::string id = find_address(call, request.allocation_id, request.public_ip).id;
  std::string interface = text(request.network_interface_id);
  if (request.instance_id) {
    const auto& instance = call.cloud.shown(instance_id(*request.instance_id));
    const Interface* const own = call.cloud.network().interfaces.of(instance.id.value);
    if (own == nullptr)
      throw ApiError("InvalidInstanceID",
                     fmt::format("The instance '{}' is not in a valid state for this operation.",
                                 instance.id.value));
    interface = own->id;
  }
  if (interface.empty()) throw missing("InstanceId");
  return {.association_id = call.cloud.network().addresses.associate(
              id, interface, request.allow_reassociation.value_or(true))};
}

op::DisassociateAddress::Response disassociate_address(
    Call& call, const aws::DisassociateAddressRequest& request) {
  auto& addresses = call.cloud.network().addresses;
  addresses.disassociate(request.association_id
                             ? *request.association_id
                             : find_address(call, {}, request.public_ip).association);
  return {};
}

aws::DescribeAddressesResult describe_addresses(Call& call,
                                                const aws::DescribeAddressesRequest& request) {
  const Filters<ElasticAddress> filters(request.filters, kAddressFilters,
                                        resource_tags<ElasticAddress>);
  const auto& addresses = call.cloud.network().addresses;
  api::List<std::string> ids = request.allocation_ids;
  for (const auto& address : request.public_ips) ids.push_back(addresses.at(address).id);
  const auto found =
      filters.of(addresses.table.all(), "allocation-id", call.backend, ids,
                 [&](const auto& id) -> const ElasticAddress& { return addresses.table.find(id); });
  aws::DescribeAddressesResult response;
  response.addresses.give();
  for (const ElasticAddress* address : found) response.addresses.push_back(shown(call, *address));
  return response;
}

}  // namespace fakes::ec2
