#include <algorithm>

#include "fakes/autoscaling/actions.h"
#include "fakes/autoscaling/requests.h"

namespace fakes::autoscaling {
namespace {

constexpr const char* kResourceType = "auto-scaling-group";

bool passes(const aws::TagDescription& tag, const aws::Filter& filter) {
  const std::string name = filter.name.value_or("");
  const auto has = [&](const std::string& text) {
    return std::ranges::find(filter.values, text) != filter.values.end();
  };
  if (name == "auto-scaling-group") return has(tag.resource_id.value());
  if (name == "key") return has(tag.key.value());
  if (name == "value") return has(tag.value.value());
  if (name == "propagate-at-launch")  // SDKs of some languages write True
    return *tag.propagate_at_launch ? has("true") || has("True") : has("false") || has("False");
  throw validation_error("Filter type " + name +
                         " is not correct. Allowed Filter types are: auto-scaling-group key value "
                         "propagate-at-launch");
}

}  // namespace

// The group that the tag names, or else `group`.
const std::string& check_tag(const aws::Tag& tag, const std::string& group) {
  if (tag.resource_type && *tag.resource_type != kResourceType)
    throw validation_error("ResourceType: found " + *tag.resource_type + ", expected " +
                           kResourceType);
  const std::string& key = tag.key.value();
  if (key.starts_with("aws:"))
    throw validation_error("Tag keys starting with 'aws:' are reserved for internal use");
  const std::string& named = tag.resource_id ? *tag.resource_id : group;
  if (named.empty()) throw validation_error("Each tag must name a group as its ResourceId");
  return named;
}

aws::TagDescription shown_tag(const std::string& group, const std::string& key,
                              const model::GroupTag& tag) {
  return {.key = key,
          .propagate_at_launch = tag.propagate,
          .resource_id = group,
          .resource_type = kResourceType,
          .value = tag.value};
}

Out<op::CreateOrUpdateTags> create_or_update_tags(Call& call,
                                                  const In<op::CreateOrUpdateTags>& request) {
  for (const auto& tag : request.tags) call.backend.groups.group(check_tag(tag, ""));
  for (const auto& tag : request.tags)
    call.backend.groups.put_tag(check_tag(tag, ""), tag.key.value(),
                                {tag.value.value_or(""), tag.propagate_at_launch.value_or(true)});
  return {};
}

Out<op::DeleteTags> delete_tags(Call& call, const In<op::DeleteTags>& request) {
  for (const auto& tag : request.tags) call.backend.groups.group(check_tag(tag, ""));
  for (const auto& tag : request.tags)
    call.backend.groups.delete_tag(check_tag(tag, ""), tag.key.value());
  return {};
}

Out<op::DescribeTags> describe_tags(Call& call, const In<op::DescribeTags>& request) {
  Out<op::DescribeTags> response;
  response.tags.give();
  for (const model::Group* group : call.backend.groups.groups())
    for (const auto& [key, tag] : group->tags) {
      const auto shown = shown_tag(group->name, key, tag);
      if (std::ranges::all_of(request.filters,
                              [&](const aws::Filter& filter) { return passes(shown, filter); }))
        response.tags.push_back(shown);
    }
  response.next_token = cut_page(request, "tags", response.tags);
  return response;
}

}  // namespace fakes::autoscaling
