// Descriptions of network interfaces. An instance has a primary one until it terminates, and
// perhaps further ones (network_interface_changes.cpp).
#include "fakes/ec2/network/network_interfaces.h"

#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/instances.h"
#include "fakes/ec2/network/host_names.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::Instance;
using sim::vpc::Interface;
using Values = std::vector<std::string>;

// The public address; empty if there is none now.
std::string public_address_of(const Backend& backend, const Interface& interface) {
  if (interface.device_index == 0 && !interface.instance.empty())
    return public_ip(backend, backend.cloud.instance({interface.instance}));
  const auto address = sim::vpc::public_address(backend.cloud.network().addresses, interface);
  return address ? text(*address) : "";
}

std::string zone_of(const Backend& backend, const Interface& interface) {
  return backend.cloud.network().subnets.table.find(interface.subnet).zone;
}

bool is_attached(const Interface& interface) { return !interface.attachment.empty(); }

// A value of the attachment. None for an interface that is not attached.
template <class Value>
Values of_attachment(const Interface& interface, Value value) {
  return is_attached(interface) ? Values{value(interface)} : Values{};
}

Values addresses_of(const Interface& interface, Backend&) {
  Values all{text(interface.private_ip)};
  for (const auto address : interface.secondary_ips) all.push_back(text(address));
  return all;
}

Values public_addresses(const Interface& interface, Backend& backend) {
  const std::string address = public_address_of(backend, interface);
  return address.empty() ? Values{} : Values{address};
}
Values owner_of(const Interface&, Backend& backend) { return {backend.cloud.config().account_id}; }
Values public_names(const Interface& interface, Backend& backend) {
  const std::string address = public_address_of(backend, interface);
  return address.empty() ? Values{} : Values{public_dns_name(backend, address)};
}
Values group_names_of(const Interface& interface, Backend& backend) {
  Values names;
  for (const auto& id : interface.groups) names.push_back(text(security_group_name(backend, id)));
  return names;
}
Values elastic_of(const Interface& interface, Backend& backend,
                  const std::string sim::vpc::ElasticAddress::*member) {
  const auto* const found = backend.cloud.network().addresses.of_interface(interface.id);
  return found ? Values{found->*member} : Values{};
}
template <const char* kText>
Values constant(const Interface&, Backend&) {
  return {kText};
}
constexpr char kFalse[] = "false", kInterface[] = "interface";

std::string truth_of(bool flag) { return flag ? "true" : "false"; }

constexpr FilterRow<Interface> kInterfaceFilters[] = {
    {"addresses.primary",
     [](const Interface& i, Backend&) {
       return i.secondary_ips.empty() ? Values{"true"} : Values{"true", "false"};
     }},
    {"addresses.private-ip-address", addresses_of},
    {"addresses.association.public-ip", public_addresses},
    {"addresses.association.owner-id", owner_of},
    {"association.public-ip", public_addresses},
    {"association.allocation-id",
     [](const Interface& i, Backend& w) {
       return elastic_of(i, w, &sim::vpc::ElasticAddress::id);
     }},
    {"association.association-id",
     [](const Interface& i, Backend& w) {
       return elastic_of(i, w, &sim::vpc::ElasticAddress::association);
     }},
    {"association.ip-owner-id", owner_of},
    {"association.public-dns-name", public_names},
    {"attachment.attach-time",
     [](const Interface& i, Backend&) {
       return of_attachment(i, [](const Interface& at) {
         return sim::iso_milliseconds(whole_second(at.attached_at));
       });
     }},
    {"attachment.attachment-id",
     [](const Interface& i, Backend&) {
       return of_attachment(i, [](const Interface& at) { return at.attachment; });
     }},
    {"attachment.delete-on-termination",
     [](const Interface& i, Backend&) {
       return of_attachment(i,
                            [](const Interface& at) { return truth_of(at.delete_on_termination); });
     }},
    {"attachment.device-index",
     [](const Interface& i, Backend&) {
       return of_attachment(i, [](const Interface& at) { return std::to_string(at.device_index); });
     }},
    {"attachment.instance-id",
     [](const Interface& i, Backend&) {
       return of_attachment(i, [](const Interface& at) { return at.instance; });
     }},
    {"attachment.instance-owner-id",
     [](const Interface& i, Backend& w) { return is_attached(i) ? owner_of(i, w) : Values{}; }},
    {"attachment.status",
     [](const Interface& i, Backend&) {
       return of_attachment(i, [](const Interface&) { return std::string("attached"); });
     }},
    {"availability-zone", [](const Interface& i, Backend& w) { return Values{zone_of(w, i)}; }},
    {"availability-zone-id",
     [](const Interface& i, Backend& w) { return Values{zone_id(zone_of(w, i))}; }},
    {"description", [](const Interface& i, Backend&) { return Values{i.description}; }},
    {"group-id", [](const Interface& i, Backend&) { return Values(i.groups); }},
    {"group-name", group_names_of},
    {"interface-type", constant<kInterface>},
    {"ipv6-addresses.ipv6-address", no_value<Interface>},
    {"mac-address", [](const Interface& i, Backend&) { return Values{mac_address(i.private_ip)}; }},
    {"network-interface-id", [](const Interface& i, Backend&) { return Values{i.id}; }},
    {"operator.managed", constant<kFalse>},
    {"operator.principal", no_value<Interface>},
    {"owner-id", owner_of},
    {"private-dns-name",
     [](const Interface& i, Backend& w) {
       return Values{private_dns_name(w, text(i.private_ip))};
     }},
    {"private-ip-address", addresses_of},
    {"requester-managed", constant<kFalse>},
    {"requester-id", no_value<Interface>},
    {"source-dest-check",
     [](const Interface& i, Backend&) { return Values{truth_of(i.source_dest_check)}; }},
    {"status",
     [](const Interface& i, Backend&) { return Values{is_attached(i) ? "in-use" : "available"}; }},
    {"subnet-id", [](const Interface& i, Backend&) { return Values{i.subnet}; }},
    {"vpc-id", [](const Interface& i, Backend&) { return Values{i.vpc}; }},
};

// Fills in the public address, if there is one. DescribeInstances and DescribeNetworkInterfaces
// have different structures with the same members.
template <class Association>
api::Opt<Association> association_of(const Call& call, const Interface& interface) {
  const std::string address = public_address_of(call.backend, interface);
  if (address.empty()) return {};
  Association out{.ip_owner_id = "amazon",
                  .public_dns_name = public_dns_name(call.backend, address),
                  .public_ip = address};
  const auto* const elastic = call.cloud.network().addresses.of_interface(interface.id);
  if (elastic) out.ip_owner_id = call.cloud.config().account_id;
  if constexpr (requires { out.allocation_id; }) {
    if (elastic) out.allocation_id = elastic->id;
    if (elastic) out.association_id = elastic->association;
  }
  return out;
}

// Fills in the members that both structures of an interface have.
template <class Shown, class Association>
Shown shown_as(const Call& call, const Interface& interface) {
  const std::string name = private_dns_name(call.backend, text(interface.private_ip));
  Shown out{.association = association_of<Association>(call, interface),
            .description = interface.description,
            .groups = shown_groups(call.backend, interface.groups),
            .interface_type = "interface",
            .mac_address = mac_address(interface.private_ip),
            .network_interface_id = interface.id,
            .owner_id = call.cloud.config().account_id,
            .private_dns_name = name,
            .private_ip_address = text(interface.private_ip),
            .source_dest_check = interface.source_dest_check,
            .status = is_attached(interface) ? "in-use" : "available",
            .subnet_id = interface.subnet,
            .vpc_id = interface.vpc};
  out.ipv6_addresses.give();
  out.private_ip_addresses.push_back({.association = association_of<Association>(call, interface),
                                      .primary = true,
                                      .private_dns_name = name,
                                      .private_ip_address = text(interface.private_ip)});
  for (const auto address : interface.secondary_ips)
    out.private_ip_addresses.push_back(
        {.primary = false,
         .private_dns_name = private_dns_name(call.backend, text(address)),
         .private_ip_address = text(address)});
  return out;
}

}  // namespace

aws::NetworkInterface shown(const Call& call, const Interface& interface) {
  auto out = shown_as<aws::NetworkInterface, aws::NetworkInterfaceAssociation>(call, interface);
  if (is_attached(interface))
    out.attachment = aws::NetworkInterfaceAttachment{
        .attach_time = timestamp(whole_second(interface.attached_at)),
        .attachment_id = interface.attachment,
        .delete_on_termination = interface.delete_on_termination,
        .device_index = interface.device_index,
        .instance_id = interface.instance,
        .instance_owner_id = call.cloud.config().account_id,
        .status = "attached"};
  out.availability_zone = zone_of(call.backend, interface);
  out.requester_managed = false;
  out.tag_set = shown_tags(interface.tags);
  return out;
}

std::string mac_address(sim::vpc::Ipv4 address) {
  const auto n = address.value;
  return fmt::format("06:00:{:02x}:{:02x}:{:02x}:{:02x}", n >> 24, n >> 16 & 255, n >> 8 & 255,
                     n & 255);
}

api::List<aws::InstanceNetworkInterface> shown_interfaces(const Call& call,
                                                          const Instance& instance) {
  api::List<aws::InstanceNetworkInterface> all;
  all.give();
  for (const Interface* const own : call.cloud.network().interfaces.all_of(instance.id.value)) {
    all.push_back(shown_as<aws::InstanceNetworkInterface, aws::InstanceNetworkInterfaceAssociation>(
        call, *own));
    all.back().attachment = aws::InstanceNetworkInterfaceAttachment{
        .attach_time = timestamp(whole_second(own->attached_at)),
        .attachment_id = own->attachment,
        .delete_on_termination = own->delete_on_termination,
        .device_index = own->device_index,
        .status = "attached"};
  }
  return all;
}

aws::DescribeNetworkInterfaceAttributeResult describe_network_interface_attribute(
    Call& call, const aws::DescribeNetworkInterfaceAttributeRequest& request) {
  const auto interface = shown(call, call.cloud.network().interfaces.table.find(required(
                                         request.network_interface_id, "NetworkInterfaceId")));
  const std::string& attribute = required(request.attribute, "attribute");
  aws::DescribeNetworkInterfaceAttributeResult response{.network_interface_id =
                                                            interface.network_interface_id};
  if (attribute == "attachment")
    response.attachment = interface.attachment;
  else if (attribute == "description")
    response.description = aws::AttributeValue{.value = interface.description};
  else if (attribute == "groupSet")
    response.groups = interface.groups;
  else if (attribute == "sourceDestCheck")
    response.source_dest_check = aws::AttributeBooleanValue{.value = interface.source_dest_check};
  else
    throw sim::cloud::ApiError(
        "InvalidParameterValue",
        fmt::format("Value ({}) for parameter attribute is invalid. Unknown attribute.",
                    attribute));
  return response;
}

aws::DescribeNetworkInterfacesResult describe_network_interfaces(
    Call& call, const aws::DescribeNetworkInterfacesRequest& request) {
  const Filters<Interface> filters(request.filters, kInterfaceFilters, resource_tags<Interface>);
  const Page page(request, {.of = "interfaces", .low = 5, .high = 1000});
  const auto& interfaces = call.cloud.network().interfaces.table;
  auto found = filters.of(interfaces.all(), "network-interface-id", call.backend,
                          request.network_interface_ids,
                          [&](const auto& id) -> const Interface& { return interfaces.find(id); });
  aws::DescribeNetworkInterfacesResult response{.next_token = page.cut(found)};
  response.network_interfaces.give();
  for (const Interface* interface : found)
    response.network_interfaces.push_back(shown(call, *interface));
  return response;
}

}  // namespace fakes::ec2
