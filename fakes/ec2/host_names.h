// The names and addresses of an instance, as EC2, its metadata and its own files tell them.
#pragma once

#include <string>
#include <string_view>

#include "fakes/backend.h"

namespace fakes::ec2 {

// What instances' names end in: "us-west-2.compute.internal", in us-east-1 "ec2.internal" (VPC user
// guide, "DNS attributes for your VPC").
std::string private_domain(std::string_view region);
// "ip-172-31-0-4.us-west-2.compute.internal"
std::string private_dns_name(const Backend& backend, const sim::cloud::Instance& instance);
// The public address of a running instance. An elastic address replaces the one of the launch.
// The addresses are from 198.18.0.0/15, which is kept for tests (RFC 2544), so nothing can be
// reached there. Empty: none now.
std::string public_ip(const Backend& backend, const sim::cloud::Instance& instance);
// "ec2-198-18-0-4.us-west-2.compute.amazonaws.com", in us-east-1 "….compute-1.amazonaws.com"; empty
// where there is no address.
std::string public_dns_name(const Backend& backend, const sim::cloud::Instance& instance);

}  // namespace fakes::ec2
