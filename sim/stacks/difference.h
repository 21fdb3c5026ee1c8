// Compares a resource before and after an update: which properties change, and whether the change
// needs a new physical resource.
#pragma once

#include <string>
#include <vector>

#include "sim/stacks/resource_types.h"

namespace sim::stacks {

struct Difference {
  std::vector<std::string> properties;  // the properties that differ
  bool replaces = false;                // the update creates a new physical resource
};

struct Compared {
  const std::string& type;
  const Json& properties;
};

// `traits` belong to the new type. They are null if the scenario skips the type.
Difference compare(const Traits* traits, const Compared& before, const Compared& after);

}  // namespace sim::stacks
