// AWS::AutoScaling::LaunchConfiguration. Every change creates a new one.
#include "api/autoscaling.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::launch_configuration {
namespace {

namespace autoscaling = api::autoscaling::op;
using sim::Json;

constexpr std::size_t kLongestName = 255;

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  const auto given = properties.take_text("LaunchConfigurationName");
  const std::string name = given.value_or(generated_name(call, kLongestName));
  properties.set("LaunchConfigurationName", name);
  properties.rename("RamDiskId", "RamdiskId");
  if (Json monitoring = properties.take("InstanceMonitoring"); !monitoring.is_null())
    properties.set("InstanceMonitoring", Json{{"Enabled", monitoring}});
  call.ask<autoscaling::CreateLaunchConfiguration>(
      properties.request<autoscaling::CreateLaunchConfiguration>());
  return name;
}

void remove(const ResourceCall& call) {
  const auto response = call.ask<autoscaling::DescribeLaunchConfigurations>(
      {.launch_configuration_names = {call.id()}});
  if (!response.launch_configurations.empty())
    call.ask<autoscaling::DeleteLaunchConfiguration>({.launch_configuration_name = call.id()});
}

}  // namespace

const Type kType{.traits = {.type = "AWS::AutoScaling::LaunchConfiguration", .attributes = {}},
                 .create = create,
                 .remove = remove};

}  // namespace fakes::cloudformation::launch_configuration
