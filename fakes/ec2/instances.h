// How EC2 describes an instance.
#pragma once

#include "fakes/ec2/call.h"

namespace fakes::ec2 {

std::string reservation_id(const sim::cloud::Instance& instance);
// "ip-172-31-0-4.us-west-2.compute.internal"
std::string private_dns_name(const Backend& backend, const sim::cloud::Instance& instance);
// Into an <item> of <instancesSet>.
void add_instance(Node out, const Call& call, const sim::cloud::Instance& instance);
void add_state(Node out, const char* name, sim::cloud::InstanceState state);

}  // namespace fakes::ec2
