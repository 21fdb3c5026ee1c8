// What an update changes of one resource.
#pragma once

#include <string>
#include <vector>

#include "sim/stacks/resource_types.h"

namespace sim::stacks {

struct Difference {
  std::vector<std::string> properties;  // that differ
  bool replaces = false;                // the change needs a new physical resource
};

struct Compared {
  const std::string& type;
  const Json& properties;
};

// `traits` are the new type's; null for a type that the scenario skips.
Difference compare(const Traits* traits, const Compared& before, const Compared& after);

}  // namespace sim::stacks
