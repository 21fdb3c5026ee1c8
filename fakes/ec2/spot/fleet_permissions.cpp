#include "fakes/ec2/spot/fleet_permissions.h"

#include <string_view>

#include "fakes/ec2/image_catalogue.h"
#include "fakes/ec2/launch_parameters.h"
#include "fakes/role_use.h"
#include "sim/cloud/error.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::Fleet;
using sim::cloud::LaunchSpec;
using sim::cloud::Lifecycle;

constexpr const char* kSpotFleetService = "spotfleet.amazonaws.com";

bool has_linked_role(const Fleet& fleet) {
  return fleet.iam_fleet_role.find(":role/aws-service-role/") != std::string::npos;
}

// A service-linked role may do everything.
bool role_may_launch(Backend& backend, const Fleet& fleet, const LaunchSpec& spec,
                     Lifecycle lifecycle) {
  if (fleet.kind != sim::cloud::FleetKind::kSpotFleet || has_linked_role(fleet)) return true;
  return may_launch(
      backend,
      {.service = kSpotFleetService, .role_arn = fleet.iam_fleet_role, .name = fleet.id.value},
      parameters_of_launch(backend, spec, lifecycle));
}

void ask_for_roles(Backend& backend) {
  backend.cloud.set_fleet_permission(
      [&backend](const Fleet& fleet, const LaunchSpec& spec, Lifecycle lifecycle) {
        return role_may_launch(backend, fleet, spec, lifecycle);
      });
}

}  // namespace

void use_fleet_role(Backend& backend, const Fleet& fleet) {
  if (!backend.iam->decides()) return;
  if (!has_linked_role(fleet) && !can_assume(backend, kSpotFleetService, fleet.iam_fleet_role))
    throw sim::cloud::ApiError("InvalidSpotFleetRequestConfig",
                               "Parameter: SpotFleetRequestConfig.IamFleetRole is invalid.");
  ask_for_roles(backend);
}

void NamedImages::resolve(const Backend& backend, LaunchSpec& spec) {
  const std::string name = spec.image_id;
  spec.image_id = resolved_image_id(backend, name);
  if (spec.image_id != name) names_[key_of(spec)] = name;
}

LaunchSpec NamedImages::named(LaunchSpec spec) const {
  if (const auto found = names_.find(key_of(spec)); found != names_.end())
    spec.image_id = found->second;
  return spec;
}

NamedImages::Key NamedImages::key_of(const LaunchSpec& spec) {
  return {spec.launch_template.value, spec.launch_template_version, spec.instance_type,
          spec.image_id};
}

FleetsOfCaller::FleetsOfCaller(const Call& call, const NamedImages& images) {
  if (call.identity == nullptr) return;
  backend_ = &call.backend;
  backend_->cloud.set_fleet_permission([&call, &images](const Fleet& fleet, const LaunchSpec& spec,
                                                        Lifecycle lifecycle) {
    if (fleet.type == "instant")
      return may_launch(call, parameters_of_launch(call.backend, images.named(spec), lifecycle));
    return role_may_launch(call.backend, fleet, spec, lifecycle);
  });
}

FleetsOfCaller::~FleetsOfCaller() {
  if (backend_ != nullptr) ask_for_roles(*backend_);
}

}  // namespace fakes::ec2
