// Tags of log groups, by ARN or, for older clients, by name.
#include <algorithm>
#include <utility>

#include "fakes/logs/actions.h"
#include "fakes/logs/names.h"

namespace fakes::logs {
namespace {

using Tags = std::map<std::string, std::string>;

constexpr std::size_t kMostTags = 50;

// Only groups have tags here.
std::string group_of(const Call& call, std::string_view arn) {
  if (arn.ends_with(":*")) arn.remove_suffix(2);
  const std::string begin = group_arn(call, "");
  if (!arn.starts_with(begin))
    throw ApiError("ResourceNotFoundException", "The specified resource does not exist.");
  return std::string(arn.substr(begin.size()));
}

void tag(Call& call, const std::string& group, const Tags& more) {
  Tags tags = more;
  tags.insert(call.backend.logs.group(group).tags.begin(),
              call.backend.logs.group(group).tags.end());
  if (tags.size() > kMostTags)
    throw ApiError("TooManyTagsException", "A resource can have no more than 50 tags.");
  call.backend.logs.set_tags(group, std::move(tags));
}

void untag(Call& call, const std::string& group, const std::vector<std::string>& keys) {
  Tags tags = call.backend.logs.group(group).tags;
  for (const std::string& key : keys) tags.erase(key);
  call.backend.logs.set_tags(group, std::move(tags));
}

template <class Response>
Response tags_of(Call& call, const std::string& group) {
  Response response;
  response.tags = call.backend.logs.group(group).tags;
  response.tags.give();
  return response;
}

}  // namespace

op::TagResource::Response tag_resource(Call& call, const op::TagResource::Request& request) {
  tag(call, group_of(call, request.resource_arn.value()), request.tags);
  return {};
}
op::UntagResource::Response untag_resource(Call& call, const op::UntagResource::Request& request) {
  untag(call, group_of(call, request.resource_arn.value()), request.tag_keys);
  return {};
}
op::ListTagsForResource::Response list_tags_for_resource(
    Call& call, const op::ListTagsForResource::Request& request) {
  return tags_of<op::ListTagsForResource::Response>(call,
                                                    group_of(call, request.resource_arn.value()));
}

op::TagLogGroup::Response tag_group(Call& call, const op::TagLogGroup::Request& request) {
  tag(call, request.log_group_name.value(), request.tags);
  return {};
}
op::UntagLogGroup::Response untag_group(Call& call, const op::UntagLogGroup::Request& request) {
  untag(call, request.log_group_name.value(), request.tags);
  return {};
}
op::ListTagsLogGroup::Response list_tags_of_group(Call& call,
                                                  const op::ListTagsLogGroup::Request& request) {
  return tags_of<op::ListTagsLogGroup::Response>(call, request.log_group_name.value());
}

}  // namespace fakes::logs
