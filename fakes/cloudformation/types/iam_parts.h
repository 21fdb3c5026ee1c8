// Functions that IAM's resource types share.
#pragma once

#include <string>
#include <vector>

#include "fakes/cloudformation/types/type.h"

namespace fakes::cloudformation {

// The strings in a property, which is a list.
std::vector<std::string> texts_in(const sim::Json& properties, std::string_view name);
// Runs `call`, and ignores the error that something does not exist.
template <class Call>
void if_there(Call call) {
  try {
    call();
  } catch (const ApiError& error) {
    if (!is_missing(error)) throw;
  }
}
// Throws ApiError if a property names users or groups of users, which do not exist here.
void refuse_users(Properties& properties, std::string_view type);
// Converts tags into IAM's structs.
template <class Tag>
api::List<Tag> iam_tags(Properties& properties) {
  api::List<Tag> tags;
  for (const sim::Json& tag : properties.take_tags())
    tags.push_back({.key = tag.value("Key", ""), .value = tag.value("Value", "")});
  return tags;
}

}  // namespace fakes::cloudformation
