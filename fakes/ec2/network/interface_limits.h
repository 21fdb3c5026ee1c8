// How many network interfaces an instance type can have, for attachments and for
// DescribeInstanceTypes.
#pragma once

#include <string_view>

namespace fakes::ec2 {

// The defaults are for types that the table lacks, such as a user's own.
struct InterfaceLimits {
  int interfaces = 4;           // of an instance, on all its network cards
  int ipv4_per_interface = 15;  // private addresses, with the primary one
};

InterfaceLimits interface_limits(std::string_view instance_type);

// The content of fakes/ec2/network/interface_limits.csv, which is part of the program.
std::string_view interface_limits_csv();

}  // namespace fakes::ec2
