// The names and addresses of an instance in EC2's answers, its metadata and its files.
#pragma once

#include <string>
#include <string_view>

#include "fakes/backend.h"

namespace fakes::ec2 {

// The domain of instances' names: "us-west-2.compute.internal", in us-east-1 "ec2.internal" (VPC
// user guide, "DNS attributes for your VPC").
std::string private_domain(std::string_view region);
// "ip-172-31-0-4.us-west-2.compute.internal"
std::string private_dns_name(const Backend& backend, const sim::cloud::Instance& instance);
std::string private_dns_name(const Backend& backend, std::string private_ip);
// The public address of a running instance. An elastic address replaces the address of the launch.
// The addresses are in 198.18.0.0/15, a range for tests (RFC 2544), so no real host has them. Empty
// if the instance has none now.
std::string public_ip(const Backend& backend, const sim::cloud::Instance& instance);
// "ec2-198-18-0-4.us-west-2.compute.amazonaws.com", in us-east-1 "….compute-1.amazonaws.com". Empty
// without an address.
std::string public_dns_name(const Backend& backend, const sim::cloud::Instance& instance);
std::string public_dns_name(const Backend& backend, std::string public_ip);

}  // namespace fakes::ec2
