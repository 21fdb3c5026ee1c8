#include "fakes/ec2/instance_filters.h"

#include <functional>

#include "fakes/ec2/instances.h"
#include "fakes/ec2/network/host_names.h"
#include "fakes/ec2/network/network_interfaces.h"
#include "fakes/ec2/network/vpc.h"
#include "fakes/ec2/requests.h"
#include "fakes/iam_names.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::Instance;
using sim::vpc::ElasticAddress;
using sim::vpc::Interface;
using Values = std::vector<std::string>;

bool is_spot_instance(const Instance& i) { return i.lifecycle == sim::cloud::Lifecycle::kSpot; }

template <class Get>
Values of_volumes(const Instance& instance, Backend& backend, Get get) {
  Values values;
  for (const auto& id : backend.cloud.attached_to(instance.id))
    values.push_back(get(*backend.cloud.volume(id).attachment));
  return values;
}

Values group_names(const Instance& instance, Backend& backend) {
  Values names;
  for (const auto& id : instance.spec.security_group_ids)
    if (const auto name = security_group_name(backend, id)) names.push_back(*name);
  return names;
}

Values public_address(const Instance& instance, Backend& backend) {
  return {public_ip(backend, instance)};
}
Values public_name(const Instance& instance, Backend& backend) {
  return {public_dns_name(backend, instance)};
}

Values source_dest_check(const Instance& instance, Backend& backend) {
  return {checks_source_dest(backend, instance) ? "true" : "false"};
}

// A value of the instance's network interface, which is deleted when the instance terminates.
template <auto Value>
Values of_interface(const Instance& instance, Backend& backend) {
  const Interface* const own = backend.cloud.network().interfaces.of(instance.id.value);
  return own ? Values{std::invoke(Value, *own)} : Values{};
}

template <class Member>
Values interface_tags(const Instance& instance, Backend& backend, Member member) {
  Values values;
  if (const Interface* const own = backend.cloud.network().interfaces.of(instance.id.value))
    for (const auto& tag : own->tags) values.push_back(tag.*member);
  return values;
}

const ElasticAddress* elastic_address(const Instance& instance, Backend& backend) {
  const auto& network = backend.cloud.network();
  const Interface* const own = network.interfaces.of(instance.id.value);
  return own ? network.addresses.of_interface(own->id) : nullptr;
}

template <auto Value>
Values of_address(const Instance& instance, Backend& backend) {
  const ElasticAddress* const address = elastic_address(instance, backend);
  return address ? Values{address->*Value} : Values{};
}

// Elastic addresses belong to the account, all other public addresses to Amazon.
Values address_owner(const Instance& instance, Backend& backend) {
  if (public_ip(backend, instance).empty()) return {};
  return {elastic_address(instance, backend) ? backend.cloud.config().account_id : "amazon"};
}

constexpr FilterRow<Instance> kInstanceFilters[] = {
    {"availability-zone",
     [](const Instance& i, Backend&) { return Values{i.spec.availability_zone}; }},
    {"block-device-mapping.device-name",
     [](const Instance& i, Backend& w) {
       return of_volumes(i, w, [](const auto& a) { return a.device; });
     }},
    {"block-device-mapping.status",
     [](const Instance& i, Backend& w) {
       return of_volumes(i, w, [](const auto& a) { return std::string(name(a.state)); });
     }},
    {"block-device-mapping.volume-id",
     [](const Instance& i, Backend& w) {
       return of_volumes(i, w, [](const auto& a) { return a.volume.value; });
     }},
    {"iam-instance-profile.arn",
     [](const Instance& i, Backend& w) {
       return i.spec.iam_instance_profile.empty() ? Values{} : Values{instance_profile_arn(w, i)};
     }},
    {"image-id", [](const Instance& i, Backend&) { return Values{i.spec.image_id}; }},
    {"instance-id", [](const Instance& i, Backend&) { return Values{i.id.value}; }},
    {"instance-lifecycle",
     [](const Instance& i, Backend&) { return is_spot_instance(i) ? Values{"spot"} : Values{}; }},
    {"instance-state-code",
     [](const Instance& i, Backend&) { return Values{std::to_string(code(i.state))}; }},
    {"instance-state-name",
     [](const Instance& i, Backend&) { return Values{std::string(name(i.state))}; }},
    {"instance-type", [](const Instance& i, Backend&) { return Values{i.spec.instance_type}; }},
    {"instance.group-id", [](const Instance& i, Backend&) { return i.spec.security_group_ids; }},
    {"instance.group-name", group_names},
    {"ip-address", [](const Instance& i, Backend& w) { return Values{public_ip(w, i)}; }},
    {"key-name", [](const Instance& i, Backend&) { return Values{i.spec.key_name}; }},
    {"launch-index",
     [](const Instance& i, Backend&) { return Values{std::to_string(i.launch_index)}; }},
    {"launch-time",
     [](const Instance& i, Backend&) {
       return Values{sim::iso_milliseconds(whole_second(i.launched_at))};
     }},
    {"owner-id", [](const Instance&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"private-dns-name",
     [](const Instance& i, Backend& w) { return Values{private_dns_name(w, i)}; }},
    {"private-ip-address", [](const Instance& i, Backend&) { return Values{i.private_ip}; }},
    {"reservation-id", [](const Instance& i, Backend&) { return Values{i.reservation.value}; }},
    {"spot-instance-request-id",
     [](const Instance& i, Backend&) { return Values{i.spot_request.value}; }},
    {"state-reason-code", [](const Instance& i, Backend&) { return Values{i.state_reason_code}; }},
    {"subnet-id", [](const Instance& i, Backend&) { return Values{i.spec.subnet_id}; }},
    {"vpc-id", [](const Instance& i, Backend& w) { return Values{vpc_of(w, i)}; }},
    {"architecture", [](const Instance&, Backend&) { return Values{"x86_64"}; }},
    {"availability-zone-id",
     [](const Instance& i, Backend&) { return Values{zone_id(i.spec.availability_zone)}; }},
    {"block-device-mapping.attach-time",
     [](const Instance& i, Backend& w) {
       return of_volumes(
           i, w, [](const auto& a) { return sim::iso_milliseconds(whole_second(a.attached_at)); });
     }},
    {"block-device-mapping.delete-on-termination",
     [](const Instance& i, Backend& w) {
       return of_volumes(i, w, [](const auto& a) {
         return std::string(a.delete_on_termination ? "true" : "false");
       });
     }},
    {"dns-name", [](const Instance& i, Backend& w) { return Values{public_dns_name(w, i)}; }},
    {"ebs-optimized",
     [](const Instance& i, Backend&) { return Values{i.spec.ebs_optimized ? "true" : "false"}; }},
    {"ena-support", [](const Instance&, Backend&) { return Values{"true"}; }},
    {"hypervisor", [](const Instance&, Backend&) { return Values{"xen"}; }},
    {"iam-instance-profile.name",
     [](const Instance& i, Backend& w) {
       const std::string arn =
           i.spec.iam_instance_profile.empty() ? "" : instance_profile_arn(w, i);
       return arn.empty() ? Values{} : Values{arn.substr(arn.rfind('/') + 1)};
     }},
    {"iam-instance-profile.id",
     [](const Instance& i, Backend& w) {
       return i.spec.iam_instance_profile.empty() ? Values{} : Values{instance_profile_id(w, i)};
     }},
    {"metadata-options.http-endpoint",
     [](const Instance& i, Backend& w) {
       return Values{*shown_metadata_options(w, i.spec).http_endpoint};
     }},
    {"metadata-options.http-tokens",
     [](const Instance& i, Backend&) {
       return Values{i.spec.imds_v2_required ? "required" : "optional"};
     }},
    {"metadata-options.state", [](const Instance&, Backend&) { return Values{"applied"}; }},
    {"monitoring-state", [](const Instance& i, Backend&) { return Values{monitoring_state(i)}; }},
    {"network-interface.addresses.primary",
     [](const Instance&, Backend&) { return Values{"true"}; }},
    {"network-interface.addresses.private-ip-address",
     [](const Instance& i, Backend&) { return Values{i.private_ip}; }},
    {"network-interface.availability-zone",
     [](const Instance& i, Backend&) { return Values{i.spec.availability_zone}; }},
    {"network-interface.group-id",
     [](const Instance& i, Backend&) { return i.spec.security_group_ids; }},
    {"network-interface.owner-id",
     [](const Instance&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"network-interface.private-dns-name",
     [](const Instance& i, Backend& w) { return Values{private_dns_name(w, i)}; }},
    {"network-interface.private-ip-address",
     [](const Instance& i, Backend&) { return Values{i.private_ip}; }},
    {"network-interface.source-dest-check", source_dest_check},
    {"network-interface.status", [](const Instance&, Backend&) { return Values{"in-use"}; }},
    {"network-interface.subnet-id",
     [](const Instance& i, Backend&) { return Values{i.spec.subnet_id}; }},
    {"network-interface.vpc-id",
     [](const Instance& i, Backend& w) { return Values{vpc_of(w, i)}; }},
    {"metadata-options.http-put-response-hop-limit",
     [](const Instance& i, Backend&) { return Values{std::to_string(i.spec.imds_hop_limit)}; }},
    {"network-interface.attachment.attach-time",
     [](const Instance& i, Backend&) {
       return Values{sim::iso_milliseconds(whole_second(i.launched_at))};
     }},
    {"network-interface.attachment.delete-on-termination",
     [](const Instance&, Backend&) { return Values{"true"}; }},
    {"network-interface.attachment.device-index",
     [](const Instance&, Backend&) { return Values{"0"}; }},
    {"network-interface.attachment.instance-id",
     [](const Instance& i, Backend&) { return Values{i.id.value}; }},
    {"network-interface.attachment.instance-owner-id",
     [](const Instance&, Backend& w) { return Values{w.cloud.config().account_id}; }},
    {"network-interface.attachment.status",
     [](const Instance&, Backend&) { return Values{"attached"}; }},
    {"network-interface.group-name", group_names},
    {"network-interface.requester-managed",
     [](const Instance&, Backend&) { return Values{"false"}; }},
    {"network-interface.addresses.association.allocation-id", of_address<&ElasticAddress::id>},
    {"network-interface.addresses.association.association-id",
     of_address<&ElasticAddress::association>},
    {"network-interface.addresses.association.ip-owner-id", address_owner},
    {"network-interface.addresses.association.public-dns-name", public_name},
    {"network-interface.addresses.association.public-ip", public_address},
    {"network-interface.addresses.private-dns-name",
     [](const Instance& i, Backend& w) { return Values{private_dns_name(w, i)}; }},
    {"network-interface.association.allocation-id", of_address<&ElasticAddress::id>},
    {"network-interface.association.association-id", of_address<&ElasticAddress::association>},
    {"network-interface.association.ip-owner-id", address_owner},
    {"network-interface.association.public-dns-name", public_name},
    {"network-interface.association.public-ip", public_address},
    {"network-interface.attachment.attachment-id", of_interface<&Interface::attachment>},
    {"network-interface.attachment.network-card-index",
     [](const Instance&, Backend&) { return Values{"0"}; }},
    {"network-interface.mac-address",
     of_interface<[](const Interface& own) { return mac_address(own.private_ip); }>},
    {"network-interface.network-interface-id", of_interface<&Interface::id>},
    {"network-interface.operator.managed",
     [](const Instance&, Backend&) { return Values{"false"}; }},
    {"network-interface.public-dns-name", public_name},
    {"network-interface.tag-key",
     [](const Instance& i, Backend& w) {
       return interface_tags(i, w, &sim::cloud::Tags::value_type::first);
     }},
    {"network-interface.tag-value",
     [](const Instance& i, Backend& w) {
       return interface_tags(i, w, &sim::cloud::Tags::value_type::second);
     }},
    {"metadata-options.http-protocol-ipv6",
     [](const Instance&, Backend&) { return Values{"disabled"}; }},
    {"metadata-options.instance-metadata-tags",
     [](const Instance& i, Backend&) { return Values{i.spec.imds_tags ? "enabled" : "disabled"}; }},
    {"operator.managed", [](const Instance&, Backend&) { return Values{"false"}; }},
    {"placement-group-name",
     [](const Instance& i, Backend&) {
       return i.spec.placement_group.empty() ? Values{} : Values{i.spec.placement_group};
     }},
    {"placement-partition-number",
     [](const Instance& i, Backend&) {
       return i.spec.partition > 0 ? Values{std::to_string(i.spec.partition)} : Values{};
     }},
    {"platform-details", [](const Instance&, Backend&) { return Values{"Linux/UNIX"}; }},
    {"reason", [](const Instance& i, Backend&) { return Values{i.state_reason_message}; }},
    {"root-device-name", [](const Instance&, Backend&) { return Values{kRootDeviceName}; }},
    {"root-device-type", [](const Instance&, Backend&) { return Values{"ebs"}; }},
    {"source-dest-check", source_dest_check},
    {"state-reason-message",
     [](const Instance& i, Backend&) { return Values{i.state_reason_message}; }},
    {"tenancy", [](const Instance&, Backend&) { return Values{"default"}; }},
    {"usage-operation", [](const Instance&, Backend&) { return Values{"RunInstances"}; }},
    {"virtualization-type", [](const Instance&, Backend&) { return Values{"hvm"}; }},
    // Properties that no instance has here.
    {"network-interface.ipv6-addresses.ipv6-address", no_value<Instance>},
    {"network-interface.requester-id", no_value<Instance>},
    {"network-interface.addresses.association.carrier-ip", no_value<Instance>},
    {"network-interface.addresses.association.customer-owned-ip", no_value<Instance>},
    {"network-interface.association.carrier-ip", no_value<Instance>},
    {"network-interface.association.customer-owned-ip", no_value<Instance>},
    {"network-interface.deny-all-igw-traffic", no_value<Instance>},
    {"network-interface.ipv4-prefixes.ipv4-prefix", no_value<Instance>},
    {"network-interface.ipv6-address", no_value<Instance>},
    {"network-interface.ipv6-addresses.is-primary-ipv6", no_value<Instance>},
    {"network-interface.ipv6-native", no_value<Instance>},
    {"network-interface.ipv6-prefixes.ipv6-prefix", no_value<Instance>},
    {"network-interface.operator.principal", no_value<Instance>},
    {"network-interface.outpost-arn", no_value<Instance>},
    {"network-performance-options.bandwidth-weighting", no_value<Instance>},
    {"affinity", no_value<Instance>},
    {"capacity-reservation-specification.capacity-reservation-preference", no_value<Instance>},
    {"capacity-reservation-specification.capacity-reservation-target.capacity-reservation-id",
     no_value<Instance>},
    {"capacity-reservation-specification.capacity-reservation-target."
     "capacity-reservation-resource-group-arn",
     no_value<Instance>},
    {"boot-mode", no_value<Instance>},
    {"capacity-reservation-id", no_value<Instance>},
    {"client-token", no_value<Instance>},
    {"current-instance-boot-mode", no_value<Instance>},
    {"enclave-options.enabled", no_value<Instance>},
    {"hibernation-options.configured",
     [](const Instance& i, Backend&) { return Values{i.spec.hibernation ? "true" : "false"}; }},
    {"host-id", no_value<Instance>},
    {"ipv6-address", no_value<Instance>},
    {"kernel-id", no_value<Instance>},
    {"maintenance-options.auto-recovery", no_value<Instance>},
    {"network-interface.description", no_value<Instance>},
    {"metadata-options.http-protocol-ipv4", no_value<Instance>},
    {"operator.principal", no_value<Instance>},
    {"outpost-arn", no_value<Instance>},
    {"platform", no_value<Instance>},
    {"private-dns-name-options.enable-resource-name-dns-a-record", no_value<Instance>},
    {"private-dns-name-options.enable-resource-name-dns-aaaa-record", no_value<Instance>},
    {"private-dns-name-options.hostname-type", no_value<Instance>},
    {"product-code", no_value<Instance>},
    {"product-code.type", no_value<Instance>},
    {"ramdisk-id", no_value<Instance>},
    {"requester-id", no_value<Instance>},
    {"tpm-support", no_value<Instance>},
    {"usage-operation-update-time", no_value<Instance>},
};

Values status_value(const Instance& i, Backend& w) { return {check_status(w, i)}; }

Values reachability_value(const Instance& i, Backend& w) {
  const std::string value = reachability(w, i);
  return value.empty() ? Values{} : Values{value};
}

template <class Get>
Values of_events(const Instance& instance, Backend& backend, Get get) {
  Values values;
  for (const auto* event : described_maintenance(backend, instance)) values.push_back(get(*event));
  return values;
}

using sim::cloud::MaintenanceEvent;

Values event_codes(const Instance& i, Backend& w) {
  return of_events(i, w, [](const MaintenanceEvent& e) { return std::string(name(e.code)); });
}
Values event_ids(const Instance& i, Backend& w) {
  return of_events(i, w, [](const MaintenanceEvent& e) { return e.id; });
}
Values event_starts(const Instance& i, Backend& w) {
  return of_events(i, w, [](const MaintenanceEvent& e) {
    return sim::iso_milliseconds(whole_second(e.not_before));
  });
}
Values event_ends(const Instance& i, Backend& w) {
  Values ends = of_events(i, w, [](const MaintenanceEvent& e) {
    return e.not_after ? sim::iso_milliseconds(whole_second(*e.not_after)) : "";
  });
  std::erase(ends, "");
  return ends;
}

constexpr FilterRow<Instance> kInstanceStatusFilters[] = {
    {"availability-zone",
     [](const Instance& i, Backend&) { return Values{i.spec.availability_zone}; }},
    {"availability-zone-id",
     [](const Instance& i, Backend&) { return Values{zone_id(i.spec.availability_zone)}; }},
    {"instance-state-code",
     [](const Instance& i, Backend&) { return Values{std::to_string(code(i.state))}; }},
    {"instance-state-name",
     [](const Instance& i, Backend&) { return Values{std::string(name(i.state))}; }},
    {"instance-status.reachability", reachability_value},
    {"instance-status.status", status_value},
    {"system-status.reachability", reachability_value},
    {"system-status.status", status_value},
    {"operator.managed", [](const Instance&, Backend&) { return Values{"false"}; }},
    {"attached-ebs-status.status", no_value<Instance>},
    {"event.code", event_codes},
    {"event.description",
     [](const Instance& i, Backend& w) { return of_events(i, w, maintenance_description); }},
    {"event.instance-event-id", event_ids},
    {"event.not-after", event_ends},
    {"event.not-before", event_starts},
    {"event.not-before-deadline", no_value<Instance>},
    {"operator.principal", no_value<Instance>},
};

}  // namespace

std::span<const FilterRow<Instance>> instance_status_filters() { return kInstanceStatusFilters; }
std::span<const FilterRow<Instance>> instance_filters() { return kInstanceFilters; }

}  // namespace fakes::ec2
