// What instance types are, beyond their table (instance_types.h): the attributes that EC2 reports
// in DescribeInstanceTypes and by which a fleet may choose types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/market/instance_types.h"

namespace sim::market {

// "m5" of "m5.large".
std::string_view family_of(const InstanceType& type);
// ".metal" sizes.
bool is_bare_metal(const InstanceType& type);
// Types with CPU credits: t2 to t4g.
bool is_burstable(const InstanceType& type);
// Whether a cluster placement group may have the type (EC2 User Guide, "Rules and limitations for
// placement groups"). The burstable ones are not among those, nor is t1.
bool may_be_in_cluster(const InstanceType& type);
// Who made its processors: "Intel", "AMD" or "AWS" (DescribeInstanceTypes, ProcessorInfo).
std::string_view cpu_maker(const InstanceType& type);
// A type of EC2's "Previous Generation Instances" (aws.amazon.com/ec2/previous-generation), which
// CurrentGeneration and InstanceGenerations tell apart.
bool is_previous_generation(const InstanceType& type);

// The parts of InstanceType::gpu. Both are empty for a type without accelerators.
struct Accelerator {
  std::string maker, model;  // "NVIDIA", "V100"
};
Accelerator accelerator_of(const InstanceType& type);
// True for accelerators that EC2 calls GPUs; the others are for inference or training.
bool has_gpus(const InstanceType& type);
// The memory of one GPU in EC2's answers; 0 if it is unknown.
std::int64_t gpu_mib(const InstanceType& type);

}  // namespace sim::market
