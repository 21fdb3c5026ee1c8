// What the stack engine asks of resource types and of the account. fakes/cloudformation implements
// it with the services' own handlers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/kernel/json_object.h"
#include "sim/kernel/time.h"
#include "sim/stacks/template.h"

namespace sim::stacks {

using Tags = std::vector<std::pair<std::string, std::string>>;

// What the engine must know of a type before it makes a resource.
struct Traits {
  std::string_view type;
  std::span<const std::string_view> attributes;  // that Fn::GetAtt returns
  // The properties that are updated in place. A change of another one needs a new resource.
  std::span<const std::string_view> updated = {};
  bool has_tags = false;                // takes the stack's tags in its property Tags
  bool has_snapshots = false;           // allows the deletion policy Snapshot
  bool is_iam = false;                  // needs a capability
  std::string_view name_property = {};  // IAM: who gives it needs CAPABILITY_NAMED_IAM
  Duration least{};                     // from the call until the resource can be complete
};

// A resource as its type's functions see it. Properties are evaluated.
struct Handle {
  std::string stack_name, stack_id, logical_id, type, physical_id;
  Json properties;
  Disposal disposal = Disposal::kDelete;  // of a resource that is removed
  Time since{};                           // when the step began
};

class ResourceTypes {
 public:
  virtual ~ResourceTypes() = default;

  // Null for a type that does not exist here.
  virtual const Traits* find(std::string_view type) const = 0;
  // The scenario lets stacks pass over resources of this type.
  virtual bool is_skipped(std::string_view type) const = 0;

  // ---- steps of one resource; each throws ApiError with what the service answers
  virtual std::string create(const Handle& resource) = 0;  // returns the physical ID
  // After create() and update(): the resource is ready.
  virtual bool is_ready(const Handle& resource) = 0;
  virtual void update(const Handle& resource, const Json& before) = 0;
  virtual void remove(const Handle& resource) = 0;
  virtual bool is_gone(const Handle& resource) = 0;
  virtual Json ref(const Handle& resource) = 0;
  virtual Json attribute(const Handle& resource, const std::string& name) = 0;

  // ---- the account
  virtual std::optional<std::string> stored_parameter(const std::string& name) = 0;
  virtual std::vector<std::string> zones(const std::string& region) const = 0;
};

}  // namespace sim::stacks
