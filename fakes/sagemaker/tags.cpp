// Tags of training jobs.
#include <algorithm>

#include "fakes/sagemaker/actions.h"

namespace fakes::sagemaker {
namespace {

std::map<std::string, std::string>& tags_of(Call& call, const std::string& arn) {
  const bool known = std::ranges::any_of(call.backend.training.jobs(),
                                         [&](const auto* job) { return job->arn == arn; });
  if (!known)
    throw sim::cloud::ApiError("ValidationException",
                               "Could not find resource with ARN \"" + arn + "\"");
  return call.backend.training_tags[arn];
}

}  // namespace

op::AddTags::Response add_tags(Call& call, const op::AddTags::Request& request) {
  auto& tags = tags_of(call, request.resource_arn.value());
  for (const auto& tag : request.tags) tags[tag.key.value()] = tag.value.value();
  return {.tags = request.tags};
}

op::DeleteTags::Response delete_tags(Call& call, const op::DeleteTags::Request& request) {
  auto& tags = tags_of(call, request.resource_arn.value());
  for (const auto& key : request.tag_keys) tags.erase(key);
  return {};
}

// All on one page: there are fifty at most.
op::ListTags::Response list_tags(Call& call, const op::ListTags::Request& request) {
  op::ListTags::Response response;
  response.tags.give();
  for (const auto& [key, value] : tags_of(call, request.resource_arn.value()))
    response.tags.push_back({.key = key, .value = value});
  return response;
}

}  // namespace fakes::sagemaker
