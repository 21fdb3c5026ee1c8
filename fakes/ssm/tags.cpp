// Tags of parameters.
#include "fakes/ssm/actions.h"

namespace fakes::ssm {
namespace {

// The name of the parameter in a request. Other resources of Systems Manager do not exist here.
template <class Request>
const std::string& tagged(const Call& call, const Request& request) {
  if (request.resource_type.value() != "Parameter")
    throw ApiError("InvalidResourceType",
                   "The resource type " + *request.resource_type +
                       " is not part of this simulated AWS, expected Parameter.");
  if (call.backend.parameters.find(request.resource_id.value()) == nullptr)
    throw ApiError("InvalidResourceId",
                   "The resource ID isn't valid. Verify that you entered the correct ID and try "
                   "again.");
  return *request.resource_id;
}

op::AddTagsToResource::Response add_tags(Call& call,
                                         const op::AddTagsToResource::Request& request) {
  std::map<std::string, std::string> tags;
  for (const auto& tag : request.tags) tags[tag.key.value()] = tag.value.value();
  call.backend.parameters.tag(tagged(call, request), tags);
  return {};
}

op::RemoveTagsFromResource::Response remove_tags(
    Call& call, const op::RemoveTagsFromResource::Request& request) {
  for (const std::string& key : request.tag_keys)
    call.backend.parameters.untag(tagged(call, request), key);
  return {};
}

op::ListTagsForResource::Response list_tags(Call& call,
                                            const op::ListTagsForResource::Request& request) {
  op::ListTagsForResource::Response response;
  response.tag_list.give();
  for (const auto& [key, value] : call.backend.parameters.parameter(tagged(call, request)).tags)
    response.tag_list.push_back({.key = key, .value = value});
  return response;
}

}  // namespace

std::vector<ActionRow> tag_actions() {
  return {action<op::AddTagsToResource, add_tags>(),
          action<op::RemoveTagsFromResource, remove_tags>(),
          action<op::ListTagsForResource, list_tags>()};
}

}  // namespace fakes::ssm
