// What DescribeInstances and DescribeInstanceStatus can be filtered by.
#pragma once

#include <span>

#include "fakes/ec2/filters.h"
#include "sim/cloud/resources.h"

namespace fakes::ec2 {

std::span<const FilterRow<sim::cloud::Instance>> instance_filters();

}  // namespace fakes::ec2
