// AWS::EC2::LaunchTemplate.
#include "api/ec2.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::launch_template {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"DefaultVersionNumber", "LatestVersionNumber",
                                            "LaunchTemplateId"};
constexpr std::string_view kUpdated[] = {"LaunchTemplateData", "VersionDescription"};
constexpr std::size_t kLongestName = 128;

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  const auto name = properties.take_text("LaunchTemplateName");
  properties.set("LaunchTemplateName", name.value_or(generated_name(call, kLongestName)));
  return call.ask<ec2::CreateLaunchTemplate>(properties.request<ec2::CreateLaunchTemplate>())
      .launch_template->launch_template_id.value();
}

// A change of the data is a new version.
void update(const ResourceCall& call, const Json&) {
  Properties properties = call.properties();
  properties.ignore({"LaunchTemplateName", "TagSpecifications"});
  properties.set("LaunchTemplateId", call.id());
  call.ask<ec2::CreateLaunchTemplateVersion>(
      properties.request<ec2::CreateLaunchTemplateVersion>());
}

void remove(const ResourceCall& call) {
  call.ask<ec2::DeleteLaunchTemplate>({.launch_template_id = call.id()});
}

Json attribute(const ResourceCall& call, const std::string& name) {
  if (name == "LaunchTemplateId") return call.id();
  const auto response =
      call.ask<ec2::DescribeLaunchTemplates>({.launch_template_ids = {call.id()}});
  const auto& shown = response.launch_templates.at(0);
  return std::to_string(name == "DefaultVersionNumber" ? shown.default_version_number.value()
                                                       : shown.latest_version_number.value());
}

}  // namespace

const Type kType{
    .traits = {.type = "AWS::EC2::LaunchTemplate", .attributes = kAttributes, .updated = kUpdated},
    .create = create,
    .remove = remove,
    .attribute = attribute,
    .update = update,
    .changes = kUpdated};

}  // namespace fakes::cloudformation::launch_template
