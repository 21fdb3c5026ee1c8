// A resource type: one row of the table (table.cpp), whose functions call the services' own
// handlers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "fakes/cloudformation/ask.h"
#include "fakes/cloudformation/properties.h"
#include "sim/stacks/resource_types.h"

namespace fakes::cloudformation {

// A resource in the hands of its type's functions.
struct ResourceCall {
  Backend& backend;
  const sim::stacks::Handle& resource;

  // Calls a service's action. Throws ApiError with the service's answer in CloudFormation's form.
  template <class Op>
  typename Op::Response ask(const typename Op::Request& request) const {
    return cloudformation::ask<Op>(backend, request);
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
  // ---- null: see each
  bool (*is_ready)(const ResourceCall&) = nullptr;       // at once
  bool (*is_gone)(const ResourceCall&) = nullptr;        // at once
  std::string (*tagged)(const ResourceCall&) = nullptr;  // EC2's ID for tags: the physical ID
  sim::Json (*ref)(const ResourceCall&) = nullptr;       // the physical ID
  sim::Json (*attribute)(const ResourceCall&, const std::string& name) = nullptr;  // has none
  void (*update)(const ResourceCall&, const sim::Json& before) = nullptr;          // cannot
  // The properties that update() changes. AWS updates more in place: a change of such a property
  // fails by name.
  Names changes = {};
};

// Runs `rest`. Where it fails, runs `undo` and passes the error on, so that a resource of which
// only a part was made does not stay behind.
template <class Rest, class Undo>
void undo_on_failure(Rest rest, Undo undo) {
  try {
    rest();
  } catch (const ApiError&) {
    undo();
    throw;
  }
}

// A name for a resource whose template states none: "STACK-LOGICAL-RANDOM", at most `most`
// characters (CloudFormation User Guide, "Name type").
std::string generated_name(const ResourceCall& call, std::size_t most);
// The same in lower case, as S3 wants it.
std::string generated_lower_name(const ResourceCall& call, std::size_t most);

// A Type::attribute of types whose attributes are all the physical ID.
sim::Json physical_id(const ResourceCall& call, const std::string& name);

// CloudFormation's own tags of a resource.
sim::stacks::Tags own_tags(const sim::stacks::Handle& resource);

}  // namespace fakes::cloudformation
