// The actions of the EC2 Query API; each is a row of the dispatch table in ec2.cpp.
#pragma once

#include "fakes/ec2/call.h"

namespace fakes::ec2 {

// run_instances.cpp
void run_instances(Call&);
// instances.cpp
void describe_instances(Call&);
void describe_instance_status(Call&);
void terminate_instances(Call&);
// instance_types.cpp
void describe_instance_types(Call&);
// launch_templates.cpp
void create_launch_template(Call&);
void describe_launch_templates(Call&);
void describe_launch_template_versions(Call&);
void delete_launch_template(Call&);
// tags.cpp
void create_tags(Call&);
void delete_tags(Call&);
void describe_tags(Call&);
// volumes.cpp
void create_volume(Call&);
void describe_volumes(Call&);
void describe_volume_status(Call&);
void attach_volume(Call&);
void detach_volume(Call&);
void delete_volume(Call&);
// snapshots.cpp
void create_snapshot(Call&);
void describe_snapshots(Call&);
void delete_snapshot(Call&);
// request_spot_fleet.cpp
void request_spot_fleet(Call&);
// spot_fleets.cpp
void describe_spot_fleet_requests(Call&);
void describe_spot_fleet_instances(Call&);
void describe_spot_fleet_request_history(Call&);
void cancel_spot_fleet_requests(Call&);
void modify_spot_fleet_request(Call&);
// spot_requests.cpp
void request_spot_instances(Call&);
void describe_spot_instance_requests(Call&);
void cancel_spot_instance_requests(Call&);
// spot_prices.cpp
void describe_spot_price_history(Call&);
// zones.cpp
void describe_availability_zones(Call&);
void describe_regions(Call&);
// vpc.cpp
void describe_subnets(Call&);
void describe_vpcs(Call&);
void describe_security_groups(Call&);

}  // namespace fakes::ec2
