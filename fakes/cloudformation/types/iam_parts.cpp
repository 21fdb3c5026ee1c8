#include "fakes/cloudformation/types/iam_parts.h"

namespace fakes::cloudformation {

std::vector<std::string> texts_in(const sim::Json& properties, std::string_view name) {
  std::vector<std::string> texts;
  const auto found = properties.find(std::string(name));
  if (found == properties.end() || !found->is_array()) return texts;
  for (const sim::Json& one : *found)
    if (one.is_string()) texts.push_back(one.get<std::string>());
  return texts;
}

void refuse_users(Properties& properties, std::string_view type) {
  for (const char* name : {"Groups", "Users"})
    if (const sim::Json value = properties.take(name); !value.is_null() && !value.empty())
      throw not_simulated(type, std::string("The property ") + name);
}

}  // namespace fakes::cloudformation
