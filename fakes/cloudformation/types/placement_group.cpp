// AWS::EC2::PlacementGroup.
#include "api/ec2.h"
#include "fakes/cloudformation/types/ec2_tags.h"
#include "fakes/cloudformation/types/rows.h"

namespace fakes::cloudformation::placement_group {
namespace {

namespace ec2 = api::ec2::op;
using sim::Json;

constexpr std::string_view kAttributes[] = {"GroupName"};
constexpr std::size_t kLongestName = 255;

std::string create(const ResourceCall& call) {
  Properties properties = call.properties();
  const std::string name = generated_name(call, kLongestName);
  properties.set("GroupName", name);
  properties.tag_as("placement-group");
  call.ask<ec2::CreatePlacementGroup>(properties.request<ec2::CreatePlacementGroup>());
  return name;
}

std::string tagged(const ResourceCall& call) {
  return call.ask<ec2::DescribePlacementGroups>({.group_names = {call.id()}})
      .placement_groups.at(0)
      .group_id.value();
}

void remove(const ResourceCall& call) {
  call.ask<ec2::DeletePlacementGroup>({.group_name = call.id()});
}

Json attribute(const ResourceCall& call, const std::string&) { return call.id(); }

}  // namespace

const Type kType{.traits = {.type = "AWS::EC2::PlacementGroup",
                            .attributes = kAttributes,
                            .updated = kOnlyTags,
                            .has_tags = true},
                 .create = create,
                 .remove = remove,
                 .tagged = tagged,
                 .attribute = attribute};

}  // namespace fakes::cloudformation::placement_group
