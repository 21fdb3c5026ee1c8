#include "fakes/cloudformation/types/ec2_tags.h"

#include "api/ec2.h"

namespace fakes::cloudformation {
namespace {

namespace ec2 = api::ec2::op;

api::List<api::ec2::Tag> tags_in(const sim::Json& properties) {
  api::List<api::ec2::Tag> tags;
  const auto found = properties.find("Tags");
  if (found == properties.end() || !found->is_array()) return tags;
  for (const sim::Json& tag : *found)
    if (tag.is_object())
      tags.push_back({.key = tag.value("Key", ""), .value = tag.value("Value", "")});
  return tags;
}

}  // namespace

void update_ec2_tags(const ResourceCall& call, const sim::Json& before) {
  if (auto old = tags_in(before); !old.empty()) {
    for (auto& tag : old) tag.value.reset();
    call.ask<ec2::DeleteTags>({.resources = {call.id()}, .tags = old});
  }
  if (const auto tags = tags_in(call.resource.properties); !tags.empty())
    call.ask<ec2::CreateTags>({.resources = {call.id()}, .tags = tags});
}

}  // namespace fakes::cloudformation
