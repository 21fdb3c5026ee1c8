#include "fakes/ec2/network/host_names.h"

#include <algorithm>

namespace fakes::ec2 {

using sim::cloud::Instance;
using sim::cloud::InstanceState;

std::string private_domain(std::string_view region) {
  return region == "us-east-1" ? "ec2.internal" : std::string(region) + ".compute.internal";
}

std::string private_dns_name(const Backend& backend, std::string private_ip) {
  std::replace(private_ip.begin(), private_ip.end(), '.', '-');
  return "ip-" + private_ip + "." + private_domain(backend.cloud.config().region);
}

std::string private_dns_name(const Backend& backend, const Instance& instance) {
  return private_dns_name(backend, instance.private_ip);
}

std::string public_ip(const Backend& backend, const Instance& instance) {
  if (instance.state != InstanceState::kRunning && instance.state != InstanceState::kShuttingDown)
    return "";
  const auto& network = backend.cloud.network();
  const sim::vpc::Interface* const interface = network.interfaces.of(instance.id.value);
  if (interface == nullptr) return "";
  const auto address = public_address(network.addresses, *interface);
  return address ? text(*address) : "";
}

std::string public_dns_name(const Backend& backend, const Instance& instance) {
  return public_dns_name(backend, public_ip(backend, instance));
}

std::string public_dns_name(const Backend& backend, std::string public_ip) {
  if (public_ip.empty()) return "";
  std::replace(public_ip.begin(), public_ip.end(), '.', '-');
  const std::string& region = backend.cloud.config().region;
  return "ec2-" + public_ip + (region == "us-east-1" ? ".compute-1" : "." + region + ".compute") +
         ".amazonaws.com";
}

}  // namespace fakes::ec2
