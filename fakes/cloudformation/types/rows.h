// The rows of the table. Each is defined in the file with the name of its namespace.
#pragma once

#include "fakes/cloudformation/types/type.h"

namespace fakes::cloudformation {

namespace alarm {
extern const Type kType;
}
namespace auto_scaling_group {
extern const Type kType;
}
namespace bucket {
extern const Type kType;
}
namespace ec2_fleet {
extern const Type kType;
}
namespace elastic_ip {
extern const Type kType;
}
namespace elastic_ip_association {
extern const Type kType;
}
namespace instance {
extern const Type kType;
}
namespace instance_profile {
extern const Type kType;
}
namespace internet_gateway {
extern const Type kType;
}
namespace key_pair {
extern const Type kType;
}
namespace launch_configuration {
extern const Type kType;
}
namespace launch_template {
extern const Type kType;
}
namespace lifecycle_hook {
extern const Type kType;
}
namespace log_group {
extern const Type kType;
}
namespace managed_policy {
extern const Type kType;
}
namespace placement_group {
extern const Type kType;
}
namespace policy {
extern const Type kType;
}
namespace queue {
extern const Type kType;
}
namespace queue_policy {
extern const Type kType;
}
namespace role {
extern const Type kType;
}
namespace route {
extern const Type kType;
}
namespace route_table {
extern const Type kType;
}
namespace rule {
extern const Type kType;
}
namespace security_group {
extern const Type kType;
}
namespace security_group_rule {
extern const Type kIngress, kEgress;
}
namespace spot_fleet {
extern const Type kType;
}
namespace subnet {
extern const Type kType;
}
namespace subnet_route_table_association {
extern const Type kType;
}
namespace subscription {
extern const Type kType;
}
namespace topic {
extern const Type kType;
}
namespace volume {
extern const Type kType;
}
namespace volume_attachment {
extern const Type kType;
}
namespace vpc {
extern const Type kType;
}
namespace vpc_gateway_attachment {
extern const Type kType;
}

}  // namespace fakes::cloudformation
