// Tests only: EC2 fleets of one launch template.
#pragma once

#include <string>
#include <utility>

#include "fakes/backend_for_test.h"

namespace fakes {

inline const std::string kLaunch = "LaunchTemplateConfigs.1.";
inline const std::string kTargets = "TargetCapacitySpecification.";
inline const std::string kFirstOverride = kLaunch + "Overrides.1.";

struct FleetWorld : TestBackend {
  explicit FleetWorld(sim::market::PriceHistory prices = test_prices())
      : TestBackend({}, std::move(prices)) {
    ec2("CreateLaunchTemplate", {{"LaunchTemplateName", "trainer"},
                                 {"LaunchTemplateData.ImageId", "ami-0123456789abcdef0"},
                                 {"LaunchTemplateData.InstanceType", "p3.2xlarge"}});
  }
  static Fields fleet(const Fields& more, const std::string& type = "maintain") {
    Fields fields{{"Type", type},
                  {kLaunch + "LaunchTemplateSpecification.LaunchTemplateName", "trainer"},
                  {kLaunch + "LaunchTemplateSpecification.Version", "$Latest"},
                  {kTargets + "TotalTargetCapacity", "2"},
                  {kTargets + "DefaultTargetCapacityType", "spot"}};
    fields.insert(fields.end(), more.begin(), more.end());
    return fields;
  }
  std::string create(const Fields& fields) const {
    return ec2("CreateFleet", fields).at("fleetId");
  }
  std::string described(const std::string& id, const std::string& path) const {
    return ec2("DescribeFleets", {{"FleetId.1", id}}).at("fleetSet/item/" + path);
  }
};

}  // namespace fakes
