// The values of one stack: the properties of the resources, and the outputs.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "sim/stacks/functions.h"
#include "sim/stacks/stack.h"

namespace sim::stacks {

// The value of another stack's export. Throws ApiError where there is none.
using Import = std::function<std::string(const std::string& name)>;

class Evaluation {
 public:
  // All of them outlive it. `unknown` are resources whose physical ID is not known yet: a reference
  // to one is a text that names it.
  Evaluation(ResourceTypes& types, PseudoParameters pseudo, const Description& of, Import import,
             std::set<std::string> unknown = {});
  Evaluation(const Evaluation&) = delete;

  // With the stack's tags, where the type takes them. Throws ApiError.
  Json properties(const Resource& resource) const;
  Json metadata(const Resource& resource) const;  // null where it has none. Throws ApiError
  std::vector<Output> outputs() const;

 private:
  Json reference(const std::string& id, const std::string* attribute) const;

  ResourceTypes& types_;
  PseudoParameters pseudo_;
  const Description& of_;
  std::set<std::string> unknown_;
  Names names_;
};

// A resource as its type's functions see it.
Handle handle_of(const PseudoParameters& stack, const Resource& resource);

}  // namespace sim::stacks
