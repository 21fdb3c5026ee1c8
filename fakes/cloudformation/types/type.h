// A resource type. Each type is one row of the table (table.cpp), with functions that call the
// handlers of its service.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "fakes/cloudformation/ask.h"
#include "fakes/cloudformation/properties.h"
#include "sim/stacks/resource_types.h"

namespace fakes::cloudformation {

// A resource as its type's functions get it.
struct ResourceCall {
  Backend& backend;
  const sim::stacks::Handle& resource;

  // Calls a service's action. Throws ApiError with the service's answer in CloudFormation's form.
  template <class Op>
  typename Op::Response ask(const typename Op::Request& request) const {
    return cloudformation::ask<Op>(backend, resource.actor, request);
  }
  Properties properties() const { return Properties(resource); }
  const std::string& id() const { return resource.physical_id; }
  const std::string& region() const { return backend.cloud.config().region; }
  const std::string& account() const { return backend.cloud.config().account_id; }
};

using Names = std::span<const std::string_view>;

struct Type {
  sim::stacks::Traits traits;
  std::string (*create)(const ResourceCall&);
  void (*remove)(const ResourceCall&);
  // ---- may be null; the comment says what null means
  bool (*is_ready)(const ResourceCall&) = nullptr;       // null: ready at once
  bool (*is_gone)(const ResourceCall&) = nullptr;        // null: gone at once
  std::string (*tagged)(const ResourceCall&) = nullptr;  // EC2's ID for tags; null: the physical ID
  sim::Json (*ref)(const ResourceCall&) = nullptr;       // null: the physical ID
  sim::Json (*attribute)(const ResourceCall&, const std::string& name) = nullptr;  // null: none
  void (*update)(const ResourceCall&, const sim::Json& before) = nullptr;  // null: no updates
  // The properties that update() changes. AWS updates more properties in place. Here a change of
  // such a property fails with its name.
  Names changes = {};
};

// Runs `rest`. If it fails, runs `undo` and throws the error again, so that no partly created
// resource remains. If `undo` fails, too, the resource `id` remains.
template <class Rest, class Undo>
void undo_on_failure(const std::string& id, Rest rest, Undo undo) {
  try {
    rest();
  } catch (const ApiError& error) {
    try {
      undo();
    } catch (const ApiError&) {
      throw sim::stacks::PartlyCreated(error, id);
    }
    throw;
  }
}

// A name for a resource without a name in the template: "STACK-LOGICAL-RANDOM", with at most `most`
// characters (CloudFormation User Guide, "Name type").
std::string generated_name(const ResourceCall& call, std::size_t most);
// The same in lower case, as S3 requires.
std::string generated_lower_name(const ResourceCall& call, std::size_t most);

// The Type::attribute of types for which every attribute is the physical ID.
sim::Json physical_id(const ResourceCall& call, const std::string& name);

// CloudFormation's own tags of a resource.
sim::stacks::Tags own_tags(const sim::stacks::Handle& resource);

}  // namespace fakes::cloudformation
