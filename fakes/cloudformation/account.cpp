#include "fakes/cloudformation/account.h"

#include <algorithm>

#include "api/ssm.h"
#include "fakes/cloudformation/types/table.h"
#include "sim/stacks/difference.h"

namespace fakes::cloudformation {
namespace {

using sim::Json;
using sim::stacks::Handle;

// Answers the stack engine's calls from the table of resource types.
class TableOfTypes : public sim::stacks::ResourceTypes {
 public:
  explicit TableOfTypes(Backend& backend) : backend_(backend) {}

  const sim::stacks::Traits* find(std::string_view type) const override {
    const Type* const found = find_type(type);
    return found ? &found->traits : nullptr;
  }
  bool is_skipped(std::string_view type) const override {
    return std::ranges::find(backend_.skipped_resource_types, type) !=
           backend_.skipped_resource_types.end();
  }
  std::string create(const Handle& resource) override {
    const Type& type = type_of(resource);
    Handle made = resource;
    made.physical_id = type.create({backend_, resource});
    made.actor = {};  // CloudFormation's own tags need no permission
    add_own_tags(type, made);
    return made.physical_id;
  }
  bool is_ready(const Handle& resource) override {
    const Type& type = type_of(resource);
    return !type.is_ready || type.is_ready({backend_, resource});
  }
  void update(const Handle& resource, const Json& before) override {
    const Type& type = type_of(resource);
    const auto changed = sim::stacks::compare(&type.traits, {resource.type, before},
                                              {resource.type, resource.properties});
    for (const std::string& name : changed.properties)
      if (std::ranges::find(type.changes, name) == type.changes.end())
        throw not_simulated(resource.type, "a change of the property " + name);
    type.update({backend_, resource}, before);
  }
  void remove(const Handle& resource) override {
    try {
      type_of(resource).remove({backend_, resource});
    } catch (const ApiError& error) {
      if (!is_missing(error)) throw;  // the resource was removed by another caller
    }
  }
  bool is_gone(const Handle& resource) override {
    const Type& type = type_of(resource);
    try {
      return !type.is_gone || type.is_gone({backend_, resource});
    } catch (const ApiError& error) {
      if (is_missing(error)) return true;
      throw;
    }
  }
  Json ref(const Handle& resource) override {
    const Type& type = type_of(resource);
    return type.ref ? type.ref({backend_, resource}) : Json(resource.physical_id);
  }
  Json attribute(const Handle& resource, const std::string& name) override {
    return type_of(resource).attribute({backend_, resource}, name);
  }

  std::optional<std::string> stored_parameter(
      const std::string& name, const std::optional<sim::iam::Caller>& caller) override {
    try {
      const auto response =
          ask<api::ssm::op::GetParameters>(backend_, {.caller = caller}, {.names = {name}});
      return response.parameters.empty() ? std::nullopt : response.parameters.at(0).value;
    } catch (const ApiError& error) {
      if (is_denial(error.code())) throw sim::stacks::invalid(error.what());
      return {};
    }
  }
  void check_role(const std::string& role_arn) override {
    cloudformation::check_role(backend_, role_arn);
  }
  std::vector<std::string> zones(const std::string& region) const override {
    const auto& config = backend_.cloud.config();
    if (region == config.region) return config.availability_zones;
    throw sim::stacks::invalid("Template validation error: the region " + region +
                               " is not part of this simulated AWS: it has " + config.region);
  }

 private:
  // EC2 accepts these tags only from CloudFormation (CloudFormation User Guide, "Resource tag").
  void add_own_tags(const Type& type, const Handle& made) {
    if (!type.traits.has_tags || !type.traits.type.starts_with("AWS::EC2::")) return;
    const ResourceCall call{backend_, made};
    const auto tags = own_tags(made);
    backend_.cloud.add_service_tags(type.tagged ? type.tagged(call) : made.physical_id,
                                    {tags.begin(), tags.end()});
  }

  static const Type& type_of(const Handle& resource) { return *find_type(resource.type); }

  Backend& backend_;
};

}  // namespace

struct Account {
  explicit Account(Backend& backend)
      : types(backend),
        stacks(backend.simulation, backend.log, backend.streams, types,
               {backend.cloud.config().account_id, backend.cloud.config().region},
               timing(backend.cloud.config().durations)) {}

  // Steps of no length mean the profile `instant` of `spotsim serve`. There a stack is complete
  // when the call returns.
  static sim::stacks::Timing timing(const sim::cloud::Durations& durations) {
    const sim::Duration step = durations.stack_step;
    if (step == sim::Duration{}) return sim::stacks::kInstant;
    return {.between_phases = step, .call = step, .computing = 3 * step};
  }

  TableOfTypes types;
  sim::stacks::Stacks stacks;
};

sim::stacks::Stacks& stacks(Backend& backend) {
  if (!backend.stacks) backend.stacks = std::make_shared<Account>(backend);
  return backend.stacks->stacks;
}

}  // namespace fakes::cloudformation

namespace fakes {

bool stacks_in_progress(const Backend& backend) {
  return backend.stacks && backend.stacks->stacks.any_in_progress();
}

}  // namespace fakes
