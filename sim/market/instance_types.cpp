#include "sim/market/instance_types.h"

#include <algorithm>

namespace sim::market {
namespace {

// Exact to 10^-9 dollars for the few digits that a price list has.
consteval Usd operator""_usd(long double dollars) {
  return {static_cast<std::int64_t>(dollars * 1e9L + 0.5L)};
}

// By name, as text. Sizes as DescribeInstanceTypes states them. The types of 2009-2011 (t1 to cg1)
// have their last public price; cc1 and cg1 were never offered in us-west-2 and have us-east-1's.
constexpr InstanceType kTypes[] = {
    {"c1.medium", 2, 1740, 0, "", 0.13_usd},
    {"c1.xlarge", 8, 7168, 0, "", 0.52_usd},
    {"c3.2xlarge", 8, 15360, 0, "", 0.42_usd},
    {"c3.large", 2, 3840, 0, "", 0.105_usd},
    {"c3.xlarge", 4, 7680, 0, "", 0.21_usd},
    {"c4.large", 2, 3840, 0, "", 0.10_usd},
    {"c4.xlarge", 4, 7680, 0, "", 0.199_usd},
    {"c5.2xlarge", 8, 16384, 0, "", 0.34_usd},
    {"c5.4xlarge", 16, 32768, 0, "", 0.68_usd},
    {"c5.9xlarge", 36, 73728, 0, "", 1.53_usd},
    {"c5.large", 2, 4096, 0, "", 0.085_usd},
    {"c5.xlarge", 4, 8192, 0, "", 0.17_usd},
    {"cc1.4xlarge", 16, 23552, 0, "", 1.30_usd},
    {"cg1.4xlarge", 16, 23040, 2, "M2050", 2.10_usd},
    {"d2.8xlarge", 36, 249856, 0, "", 5.52_usd},
    {"d2.xlarge", 4, 31232, 0, "", 0.69_usd},
    {"g2.2xlarge", 8, 15360, 1, "K520", 0.65_usd},
    {"g2.8xlarge", 32, 61440, 4, "K520", 2.60_usd},
    {"g3.16xlarge", 64, 499712, 4, "M60", 4.56_usd},
    {"g3.4xlarge", 16, 124928, 1, "M60", 1.14_usd},
    {"g3.8xlarge", 32, 249856, 2, "M60", 2.28_usd},
    {"g3s.xlarge", 4, 31232, 1, "M60", 0.75_usd},
    {"g4dn.12xlarge", 48, 196608, 4, "T4", 3.912_usd},
    {"g4dn.16xlarge", 64, 262144, 1, "T4", 4.352_usd},
    {"g4dn.2xlarge", 8, 32768, 1, "T4", 0.752_usd},
    {"g4dn.4xlarge", 16, 65536, 1, "T4", 1.204_usd},
    {"g4dn.8xlarge", 32, 131072, 1, "T4", 2.176_usd},
    {"g4dn.xlarge", 4, 16384, 1, "T4", 0.526_usd},
    {"g5.12xlarge", 48, 196608, 4, "A10G", 5.672_usd},
    {"g5.2xlarge", 8, 32768, 1, "A10G", 1.212_usd},
    {"g5.48xlarge", 192, 786432, 8, "A10G", 16.288_usd},
    {"g5.4xlarge", 16, 65536, 1, "A10G", 1.624_usd},
    {"g5.8xlarge", 32, 131072, 1, "A10G", 2.448_usd},
    {"g5.xlarge", 4, 16384, 1, "A10G", 1.006_usd},
    {"m1.large", 2, 7680, 0, "", 0.175_usd},
    {"m1.medium", 1, 3840, 0, "", 0.087_usd},
    {"m1.small", 1, 1740, 0, "", 0.044_usd},
    {"m1.xlarge", 4, 15360, 0, "", 0.35_usd},
    {"m2.2xlarge", 4, 35020, 0, "", 0.49_usd},
    {"m2.4xlarge", 8, 70041, 0, "", 0.98_usd},
    {"m2.xlarge", 2, 17510, 0, "", 0.245_usd},
    {"m3.2xlarge", 8, 30720, 0, "", 0.532_usd},
    {"m3.large", 2, 7680, 0, "", 0.133_usd},
    {"m3.medium", 1, 3840, 0, "", 0.067_usd},
    {"m3.xlarge", 4, 15360, 0, "", 0.266_usd},
    {"m4.2xlarge", 8, 32768, 0, "", 0.40_usd},
    {"m4.4xlarge", 16, 65536, 0, "", 0.80_usd},
    {"m4.large", 2, 8192, 0, "", 0.10_usd},
    {"m4.xlarge", 4, 16384, 0, "", 0.20_usd},
    {"m5.2xlarge", 8, 32768, 0, "", 0.384_usd},
    {"m5.4xlarge", 16, 65536, 0, "", 0.768_usd},
    {"m5.large", 2, 8192, 0, "", 0.096_usd},
    {"m5.xlarge", 4, 16384, 0, "", 0.192_usd},
    {"p2.16xlarge", 64, 749568, 16, "K80", 14.40_usd},
    {"p2.8xlarge", 32, 499712, 8, "K80", 7.20_usd},
    {"p2.xlarge", 4, 62464, 1, "K80", 0.90_usd},
    {"p3.16xlarge", 64, 499712, 8, "V100", 24.48_usd},
    {"p3.2xlarge", 8, 62464, 1, "V100", 3.06_usd},
    {"p3.8xlarge", 32, 249856, 4, "V100", 12.24_usd},
    {"p3dn.24xlarge", 96, 786432, 8, "V100", 31.212_usd},
    {"p4d.24xlarge", 96, 1179648, 8, "A100", 32.7726_usd},
    {"r3.large", 2, 15616, 0, "", 0.166_usd},
    {"r3.xlarge", 4, 31232, 0, "", 0.333_usd},
    {"r5.16xlarge", 64, 524288, 0, "", 4.032_usd},
    {"r5.2xlarge", 8, 65536, 0, "", 0.504_usd},
    {"r5.4xlarge", 16, 131072, 0, "", 1.008_usd},
    {"r5.large", 2, 16384, 0, "", 0.126_usd},
    {"r5.xlarge", 4, 32768, 0, "", 0.252_usd},
    {"t1.micro", 1, 627, 0, "", 0.02_usd},
    {"t2.large", 2, 8192, 0, "", 0.0928_usd},
    {"t2.medium", 2, 4096, 0, "", 0.0464_usd},
    {"t2.micro", 1, 1024, 0, "", 0.0116_usd},
    {"t2.small", 1, 2048, 0, "", 0.023_usd},
    {"t2.xlarge", 4, 16384, 0, "", 0.1856_usd},
    {"t3.large", 2, 8192, 0, "", 0.0832_usd},
    {"t3.medium", 2, 4096, 0, "", 0.0416_usd},
    {"t3.micro", 2, 1024, 0, "", 0.0104_usd},
    {"t3.small", 2, 2048, 0, "", 0.0208_usd},
    {"t3.xlarge", 4, 16384, 0, "", 0.1664_usd},
};

}  // namespace

std::span<const InstanceType> instance_types() { return kTypes; }

const InstanceType* find_instance_type(std::string_view name) {
  const auto* found = std::lower_bound(
      std::begin(kTypes), std::end(kTypes), name,
      [](const InstanceType& type, std::string_view wanted) { return type.name < wanted; });
  return found != std::end(kTypes) && found->name == name ? found : nullptr;
}

}  // namespace sim::market
