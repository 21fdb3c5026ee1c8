// The network interfaces of instances. Each instance has exactly one, until it terminates.
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

const Instance& instance_of(const Backend& backend, const Interface& interface) {
  return backend.cloud.instance({interface.instance});
}

Values public_address_of(const Interface& interface, Backend& backend) {
  return {public_ip(backend, instance_of(backend, interface))};
}
Values zone_of(const Interface& interface, Backend& backend) {
  return {instance_of(backend, interface).spec.availability_zone};
}
Values owner_of(const Interface&, Backend& backend) { return {backend.cloud.config().account_id}; }
Values private_name_of(const Interface& interface, Backend& backend) {
  return {private_dns_name(backend, instance_of(backend, interface))};
}
Values public_name_of(const Interface& interface, Backend& backend) {
  return {public_dns_name(backend, instance_of(backend, interface))};
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
constexpr char kTrue[] = "true", kFalse[] = "false", kZero[] = "0", kAttached[] = "attached",
               kInUse[] = "in-use", kInterface[] = "interface";

constexpr FilterRow<Interface> kInterfaceFilters[] = {
    {"addresses.primary", constant<kTrue>},
    {"addresses.private-ip-address",
     [](const Interface& i, Backend&) { return Values{text(i.private_ip)}; }},
    {"addresses.association.public-ip", public_address_of},
    {"addresses.association.owner-id", owner_of},
    {"association.public-ip", public_address_of},
    {"association.allocation-id",
     [](const Interface& i, Backend& w) {
       return elastic_of(i, w, &sim::vpc::ElasticAddress::id);
     }},
    {"association.association-id",
     [](const Interface& i, Backend& w) {
       return elastic_of(i, w, &sim::vpc::ElasticAddress::association);
     }},
    {"association.ip-owner-id", owner_of},
    {"association.public-dns-name", public_name_of},
    {"attachment.attach-time",
     [](const Interface& i, Backend&) {
       return Values{sim::iso_milliseconds(whole_second(i.attached_at))};
     }},
    {"attachment.attachment-id",
     [](const Interface& i, Backend&) { return Values{attachment_id(i)}; }},
    {"attachment.delete-on-termination", constant<kTrue>},
    {"attachment.device-index", constant<kZero>},
    {"attachment.instance-id", [](const Interface& i, Backend&) { return Values{i.instance}; }},
    {"attachment.instance-owner-id", owner_of},
    {"attachment.status", constant<kAttached>},
    {"availability-zone", zone_of},
    {"availability-zone-id",
     [](const Interface& i, Backend& w) { return Values{zone_id(zone_of(i, w).front())}; }},
    {"description", no_value<Interface>},
    {"group-id", [](const Interface& i, Backend&) { return Values(i.groups); }},
    {"group-name", group_names_of},
    {"interface-type", constant<kInterface>},
    {"ipv6-addresses.ipv6-address", no_value<Interface>},
    {"mac-address", [](const Interface& i, Backend&) { return Values{mac_address(i.private_ip)}; }},
    {"network-interface-id", [](const Interface& i, Backend&) { return Values{i.id}; }},
    {"operator.managed", constant<kFalse>},
    {"operator.principal", no_value<Interface>},
    {"owner-id", owner_of},
    {"private-dns-name", private_name_of},
    {"private-ip-address", [](const Interface& i, Backend&) { return Values{text(i.private_ip)}; }},
    {"requester-managed", constant<kFalse>},
    {"requester-id", no_value<Interface>},
    {"source-dest-check", constant<kTrue>},
    {"status", constant<kInUse>},
    {"subnet-id", [](const Interface& i, Backend&) { return Values{i.subnet}; }},
    {"vpc-id", [](const Interface& i, Backend&) { return Values{i.vpc}; }},
};

// Fills in the public address, if there is one. DescribeInstances and DescribeNetworkInterfaces
// have different structures with the same members.
template <class Association>
api::Opt<Association> association_of(const Call& call, const Interface& interface) {
  const Instance& instance = instance_of(call.backend, interface);
  const std::string address = public_ip(call.backend, instance);
  if (address.empty()) return {};
  Association out{.ip_owner_id = "amazon",
                  .public_dns_name = public_dns_name(call.backend, instance),
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
  const std::string name = private_dns_name(call.backend, instance_of(call.backend, interface));
  Shown out{.association = association_of<Association>(call, interface),
            .description = "",
            .groups = shown_groups(call.backend, interface.groups),
            .interface_type = "interface",
            .mac_address = mac_address(interface.private_ip),
            .network_interface_id = interface.id,
            .owner_id = call.cloud.config().account_id,
            .private_dns_name = name,
            .private_ip_address = text(interface.private_ip),
            .source_dest_check = true,
            .status = "in-use",
            .subnet_id = interface.subnet,
            .vpc_id = interface.vpc};
  out.ipv6_addresses.give();
  out.private_ip_addresses.push_back({.association = association_of<Association>(call, interface),
                                      .primary = true,
                                      .private_dns_name = name,
                                      .private_ip_address = text(interface.private_ip)});
  return out;
}

aws::NetworkInterface shown(const Call& call, const Interface& interface) {
  auto out = shown_as<aws::NetworkInterface, aws::NetworkInterfaceAssociation>(call, interface);
  out.attachment =
      aws::NetworkInterfaceAttachment{.attach_time = timestamp(whole_second(interface.attached_at)),
                                      .attachment_id = attachment_id(interface),
                                      .delete_on_termination = true,
                                      .device_index = 0,
                                      .instance_id = interface.instance,
                                      .instance_owner_id = call.cloud.config().account_id,
                                      .status = "attached"};
  out.availability_zone = instance_of(call.backend, interface).spec.availability_zone;
  out.requester_managed = false;
  out.tag_set = shown_tags(interface.tags);
  return out;
}

}  // namespace

std::string attachment_id(const Interface& interface) {
  return "eni-attach-" + interface.id.substr(4);
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
  const Interface* const own = call.cloud.network().interfaces.of(instance.id.value);
  if (own == nullptr) return all;
  all.push_back(shown_as<aws::InstanceNetworkInterface, aws::InstanceNetworkInterfaceAssociation>(
      call, *own));
  all.back().attachment = aws::InstanceNetworkInterfaceAttachment{
      .attach_time = timestamp(whole_second(own->attached_at)),
      .attachment_id = attachment_id(*own),
      .delete_on_termination = true,
      .device_index = 0,
      .status = "attached"};
  return all;
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
