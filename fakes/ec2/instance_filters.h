// The filters of DescribeInstances and DescribeInstanceStatus.
#pragma once

#include <span>

#include "fakes/ec2/filters.h"
#include "sim/cloud/resources.h"

namespace fakes::ec2 {

std::span<const FilterRow<sim::cloud::Instance>> instance_filters();
std::span<const FilterRow<sim::cloud::Instance>> instance_status_filters();

}  // namespace fakes::ec2
