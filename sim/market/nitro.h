// Which instance types use the Nitro System (EC2 user guide, "Instances built on the AWS Nitro
// System"). Their volumes are NVMe disks. All other types run on Xen.
#pragma once

#include <string_view>

namespace sim::market {

bool is_on_nitro(std::string_view instance_type);

}  // namespace sim::market
