// The interface through which the stack engine uses resource types and the account.
// fakes/cloudformation implements it with the handlers of the services.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/iam/caller.h"
#include "sim/kernel/json_object.h"
#include "sim/kernel/time.h"
#include "sim/stacks/template.h"

namespace sim::stacks {

using Tags = std::vector<std::pair<std::string, std::string>>;

// What the engine must know about a type before it creates a resource.
struct Traits {
  std::string_view type;
  std::span<const std::string_view> attributes;  // the attributes that Fn::GetAtt returns
  // The properties that are updated in place. A change of any other property needs a new resource.
  std::span<const std::string_view> updated = {};
  bool has_tags = false;                // takes the stack's tags in its property Tags
  bool has_snapshots = false;           // allows the deletion policy Snapshot
  bool is_iam = false;                  // the template needs a capability
  std::string_view name_property = {};  // IAM: setting it needs CAPABILITY_NAMED_IAM
  Duration least{};  // shortest time from the call until the resource is complete
};

// Whose permissions the calls for a stack's resources need.
struct Actor {
  std::optional<iam::Caller> caller = {};  // of the operation; empty where IAM does not decide
  std::string role_arn = {};  // the service role; empty: the caller's permissions count
};

// A resource in the form that ResourceTypes takes. The properties are evaluated.
struct Handle {
  std::string stack_name, stack_id, logical_id, type, physical_id;
  Json properties;
  Disposal disposal = Disposal::kDelete;  // of a removed resource
  Time since{};                           // when the step began
  Actor actor = {};                       // empty: the calls need no permission
};

// The error of a creation that leaves a resource behind. A rollback removes the resource.
struct PartlyCreated : ApiError {
  PartlyCreated(const ApiError& error, std::string id)
      : ApiError(error), physical_id(std::move(id)) {}
  std::string physical_id;
};

// The resource types and their services. The engine calls create(), update() or remove() once for
// each step, and then polls is_ready() or is_gone(). Implementations hold no state of stacks.
class ResourceTypes {
 public:
  virtual ~ResourceTypes() = default;

  // Returns null for a type that the simulator does not know.
  virtual const Traits* find(std::string_view type) const = 0;
  // Whether the scenario tells stacks to skip resources of this type.
  virtual bool is_skipped(std::string_view type) const = 0;

  // ---- steps of one resource. Each throws ApiError with the service's error
  virtual std::string create(const Handle& resource) = 0;  // returns the physical ID
  // Whether the resource is ready after create() or update().
  virtual bool is_ready(const Handle& resource) = 0;
  virtual void update(const Handle& resource, const Json& before) = 0;
  virtual void remove(const Handle& resource) = 0;
  virtual bool is_gone(const Handle& resource) = 0;
  virtual Json ref(const Handle& resource) = 0;
  virtual Json attribute(const Handle& resource, const std::string& name) = 0;

  // ---- the account
  // The caller needs the permission to read the parameter, even if the stack has a role.
  virtual std::optional<std::string> stored_parameter(const std::string& name,
                                                      const std::optional<iam::Caller>& caller) = 0;
  // Throws ApiError ValidationError if CloudFormation cannot assume the role.
  virtual void check_role(const std::string& role_arn) = 0;
  virtual std::vector<std::string> zones(const std::string& region) const = 0;
};

}  // namespace sim::stacks
