#include "fakes/ec2/host_names.h"

#include <algorithm>

namespace fakes::ec2 {

using sim::cloud::Instance;
using sim::cloud::InstanceState;

std::string private_domain(std::string_view region) {
  return region == "us-east-1" ? "ec2.internal" : std::string(region) + ".compute.internal";
}

std::string private_dns_name(const Backend& backend, const Instance& instance) {
  std::string host = "ip-" + instance.private_ip;
  std::replace(host.begin(), host.end(), '.', '-');
  return host + "." + private_domain(backend.cloud.config().region);
}

std::string public_ip(const Instance& instance) {
  if (instance.state != InstanceState::kRunning && instance.state != InstanceState::kShuttingDown)
    return "";
  const auto& own = instance.private_ip;  // 172.31.…
  return "198.18" + own.substr(own.find('.', own.find('.') + 1));
}

std::string public_dns_name(const Backend& backend, const Instance& instance) {
  std::string host = public_ip(instance);
  if (host.empty()) return "";
  std::replace(host.begin(), host.end(), '.', '-');
  const std::string& region = backend.cloud.config().region;
  return "ec2-" + host + (region == "us-east-1" ? ".compute-1" : "." + region + ".compute") +
         ".amazonaws.com";
}

}  // namespace fakes::ec2
