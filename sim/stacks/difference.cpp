#include "sim/stacks/difference.h"

#include <algorithm>

namespace sim::stacks {

Difference compare(const Traits* traits, const Compared& before, const Compared& after) {
  Difference made;
  made.replaces = before.type != after.type;
  const auto differs = [](const Json& one, const Json& other, const std::string& name) {
    return !other.contains(name) || one.at(name) != other.at(name);
  };
  for (const auto& [name, unused] : after.properties.items())
    if (differs(after.properties, before.properties, name)) made.properties.push_back(name);
  for (const auto& [name, unused] : before.properties.items())
    if (!after.properties.contains(name)) made.properties.push_back(name);
  for (const std::string& name : made.properties)
    if (traits && std::ranges::find(traits->updated, name) == traits->updated.end())
      made.replaces = true;
  return made;
}

}  // namespace sim::stacks
