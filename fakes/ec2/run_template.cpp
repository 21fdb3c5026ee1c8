#include "fakes/ec2/run_template.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "api/json.h"
#include "fakes/ec2/actions.h"
#include "fakes/ec2/launch_templates.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {
namespace {

using nlohmann::json;

const api::Shape& run_instances_shape() {
  using Op = op::RunInstances;
  return *Op::service().operations[Op::kAt].input.shape;
}

// Removes members that have no effect here, because LaunchSpec has no field for them.
void drop_ignored(json& value, const api::Shape& shape) {
  if (shape.type == api::Type::kList) {
    for (json& element : value) drop_ignored(element, *shape.element);
  } else if (shape.type == api::Type::kStructure) {
    for (const api::Member& member : shape.members) {
      const std::string name(member.name);
      if (!value.contains(name)) continue;
      if (member.support == api::Support::kIgnored)
        value.erase(name);
      else if (member.shape != nullptr)
        drop_ignored(value[name], *member.shape);
    }
  }
}

}  // namespace

aws::RunInstancesRequest with_template(const Call& call, const aws::RunInstancesRequest& request) {
  if (!request.launch_template) return request;
  const auto& named = *request.launch_template;
  const auto& launch_template =
      find_launch_template(call, named.launch_template_id, named.launch_template_name);
  const auto& version =
      call.cloud.launch_template_version(launch_template.id, named.version.value_or("$Default"));
  const api::Shape& shape = run_instances_shape();
  json merged = json::parse(version.given);
  merged.erase("RamDiskId");  // RunInstances writes it otherwise, and passes it over
  drop_ignored(merged, shape);
  std::string own;
  api::append_json(own, shape, &request, api::JsonStyle::kPlain);
  merged.update(json::parse(own));
  merged.erase("LaunchTemplate");
  aws::RunInstancesRequest result;
  api::read_json_value(merged, shape, &result, api::JsonStyle::kPlain);
  return result;
}

void name_template(const Call& call, const aws::LaunchTemplateSpecification& named,
                   sim::cloud::LaunchSpec& spec) {
  spec.launch_template =
      find_launch_template(call, named.launch_template_id, named.launch_template_name).id;
  spec.launch_template_version = named.version.value_or("$Default");
}

}  // namespace fakes::ec2
