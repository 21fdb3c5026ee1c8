// Fills in EC2's descriptions of network interfaces.
#pragma once

#include <string>

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

api::ec2::NetworkInterface shown(const Call& call, const sim::vpc::Interface& interface);
// A MAC of the locally administered range that contains the private address: 06:00:ac:1f:00:04.
std::string mac_address(sim::vpc::Ipv4 private_ip);
// The interfaces in DescribeInstances, by device index. A terminated instance has none.
api::List<api::ec2::InstanceNetworkInterface> shown_interfaces(
    const Call& call, const sim::cloud::Instance& instance);

}  // namespace fakes::ec2
