// The EBS bandwidth of instance types, for DescribeInstanceTypes. The simulation does not limit
// transfers by it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fakes::ec2 {

struct EbsFigures {
  std::int64_t mbps = 0, iops = 0;
};
struct EbsBandwidth {
  std::string support;  // "default", "supported", "unsupported"
  // A type with a maximum above its baseline sustains the maximum for half an hour a day.
  std::optional<EbsFigures> baseline = {}, maximum = {};
};

// The figures by instance type. Types that EC2 did not describe are missing.
const std::map<std::string, EbsBandwidth, std::less<>>& ebs_bandwidths();

// The content of fakes/ec2/ebs_bandwidth.csv, which is part of the program.
std::string_view ebs_bandwidth_csv();

}  // namespace fakes::ec2
