#include "sim/guest/names/known_names.h"

#include <algorithm>

#include "fakes/ec2/network/host_names.h"
#include "fakes/regions.h"
#include "fakes/spotinst/spotinst.h"
#include "sim/guest/sandbox/guest_network.h"
#include "sim/market/pool.h"

namespace sim::guest {
namespace {

// "10.0.1.17" → "17.1.0.10.in-addr.arpa"
std::string reverse_name(std::string_view address) {
  std::string out;
  while (!address.empty()) {
    const auto dot = address.rfind('.');
    const auto begin = dot == address.npos ? 0 : dot + 1;
    out.append(address.substr(begin)).append(".");
    address = address.substr(0, dot == address.npos ? 0 : dot);
  }
  return out + "in-addr.arpa";
}

// The region in an endpoint's labels before AWS's domain, also from "s3-us-west-2" (older
// endpoints).
std::string_view region_in(std::string_view endpoint) {
  std::string_view label = endpoint.substr(endpoint.rfind('.') + 1);
  for (const std::string_view service : {"s3-website-", "s3-"})
    if (label.starts_with(service)) label.remove_prefix(service.size());
  return market::is_region(label) ? label : "";
}

NameAnswer of_instances(const std::string& name, const fakes::Backend& backend) {
  const std::string domain = fakes::ec2::private_domain(backend.cloud.config().region);
  if (name == "instance-data." + domain || name == "instance-data.ec2.internal")
    return {.exists = true, .address = kMetadataAddress, .host = {}};
  for (const auto& [id, instance] : backend.cloud.instances()) {
    if (instance.terminated_at) continue;
    const std::string host = fakes::ec2::private_dns_name(backend, instance);
    if (name == host || name == fakes::ec2::public_dns_name(backend, instance))
      return {.exists = true, .address = instance.private_ip, .host = {}};
    if (name == reverse_name(instance.private_ip))
      return {.exists = true, .address = {}, .host = host};
  }
  return {};
}

}  // namespace

bool is_endpoint_name(std::string_view name, std::string_view region) {
  if (name == fakes::spotinst::kHost) return true;
  for (const std::string_view domain : {".amazonaws.com", ".api.aws"}) {
    if (!name.ends_with(domain)) continue;
    const std::string_view endpoint = name.substr(0, name.size() - domain.size());
    if (endpoint == "checkip") return false;  // no guest could be reached at the reported address
    const std::string_view named = region_in(endpoint);
    return !endpoint.empty() && !endpoint.ends_with(".compute") &&
           !endpoint.ends_with(".compute-1") && (named.empty() || named == region);
  }
  return false;
}

bool is_endpoint_name(std::string_view name, const fakes::Backend& backend) {
  return std::ranges::any_of(fakes::region_names(backend), [&](const std::string& region) {
    return is_endpoint_name(name, region);
  });
}

bool is_host_name(std::string_view name) {
  constexpr std::size_t kLongest = 253;
  return !name.empty() && name.size() <= kLongest &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == name.npos;
}

NameAnswer look_up(const std::string& name, Asker asker, const fakes::Backend& backend,
                   const std::set<std::string, std::less<>>& hosts) {
  if (hosts.contains(name) || is_endpoint_name(name, backend))
    return {.exists = true, .address = kEndpointAddress, .host = {}};
  return asker == Asker::kInstance ? of_instances(name, backend) : NameAnswer{};
}

}  // namespace sim::guest
