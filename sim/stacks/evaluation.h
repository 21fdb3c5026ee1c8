// Evaluates the template's functions for one stack: the properties of its resources, and its
// outputs.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "sim/stacks/functions.h"
#include "sim/stacks/stack.h"

namespace sim::stacks {

// Returns the value that another stack exports. Throws ApiError if there is no such export.
using Import = std::function<std::string(const std::string& name)>;

// Evaluates values of a description. References to resources are resolved with the physical IDs and
// attributes that the resources have at the time of the call. Operations and change sets use it.
class Evaluation {
 public:
  // The references must outlive the evaluation. `unknown` are resources whose physical ID is not
  // known yet. A reference to one of them evaluates to a placeholder with its name. References to
  // others call their service on behalf of `actor`.
  Evaluation(ResourceTypes& types, PseudoParameters pseudo, const Description& of, Import import,
             std::set<std::string> unknown = {}, Actor actor = {});
  Evaluation(const Evaluation&) = delete;

  // The properties, with the stack's tags if the type takes tags. Throws ApiError.
  Json properties(const Resource& resource) const;
  Json metadata(const Resource& resource) const;  // null: no metadata. Throws ApiError
  std::vector<Output> outputs() const;

 private:
  Json reference(const std::string& id, const std::string* attribute) const;

  ResourceTypes& types_;
  PseudoParameters pseudo_;
  const Description& of_;
  std::set<std::string> unknown_;
  Actor actor_;
  Names names_;
};

// The resource in the form that ResourceTypes takes.
Handle handle_of(const PseudoParameters& stack, const Resource& resource, const Actor& actor);

}  // namespace sim::stacks
