// How EC2 describes an instance.
#pragma once

#include <string>
#include <vector>

#include "api/ec2.h"
#include "fakes/action.h"

namespace fakes::ec2 {

inline constexpr const char* kRootDeviceName = "/dev/sda1";
api::List<api::ec2::InstanceBlockDeviceMapping> shown_block_devices(
    const Call& call, const sim::cloud::Instance& instance);
api::ec2::Instance shown(const Call& call, const sim::cloud::Instance& instance);
// "disabled", "pending" or "enabled".
const char* monitoring_state(const sim::cloud::Instance& instance);
// What the status checks of instance and system say: "not-applicable" until the instance runs and
// after it, "initializing" while it boots, "ok".
std::string check_status(const Backend& backend, const sim::cloud::Instance& instance);
// The detail "reachability" of both: "initializing", "passed"; empty where checks are not
// applicable.
std::string reachability(const Backend& backend, const sim::cloud::Instance& instance);
// Security groups by ID.
api::List<api::ec2::GroupIdentifier> shown_groups(Backend& backend,
                                                  const std::vector<std::string>& ids);

}  // namespace fakes::ec2
