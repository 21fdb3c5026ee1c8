// The role of an experiment, if IAM decides (AWS FIS User Guide, "IAM roles for AWS FIS
// experiments").
#include <fmt/format.h>

#include "fakes/fis/experiments.h"
#include "fakes/role_use.h"

namespace fakes::fis {
namespace {

constexpr const char* kService = "fis.amazonaws.com";

// "network-acl/*" of EC2 as an ARN.
std::string arn_of(const Backend& backend, std::string_view service, std::string_view resource) {
  const auto& config = backend.cloud.config();
  return fmt::format("arn:aws:{}:{}:{}:{}", service, config.region, config.account_id, resource);
}

// The ARNs of a permission: its own resource, else the targets of the action.
std::vector<std::string> resources_of(const NeededPermission& needed,
                                      const ExperimentActionKind& kind,
                                      const StartedAction& action) {
  const Backend& backend = action.all.backend;
  if (needed.resource == "*") return {"*"};
  const auto colon = needed.resource.find(':');
  if (!needed.resource.empty())
    return {arn_of(backend, needed.resource.substr(0, colon), needed.resource.substr(colon + 1))};
  std::vector<std::string> arns;
  for (const std::string& id : action.resources)
    arns.push_back(resource_arn(action.all, kind.resource_type, id));
  return arns;
}

RoleSession session_of(const RunningExperiment& experiment) {
  return {.service = kService,
          .role_arn = experiment.shown.role_arn.value(),
          .name = experiment.shown.id.value()};
}

}  // namespace

bool can_assume_role(Experiments& all, const RunningExperiment& experiment) {
  return can_assume(all.backend, kService, experiment.shown.role_arn.value());
}

// CloudWatch Logs User Guide, "Logs sent to CloudWatch Logs".
bool may_log(Experiments& all, const RunningExperiment& experiment) {
  static const std::vector<authorisation::Permission> kDelivery = {
      {.action = "logs:CreateLogDelivery", .resource = "*"},
      {.action = "logs:DescribeLogGroups", .resource = "*"},
      {.action = "logs:DescribeResourcePolicies", .resource = "*"},
      {.action = "logs:PutResourcePolicy", .resource = "*"}};
  const api::Parameters none;
  const authorisation::RequestContext context{.backend = all.backend, .parameters = none};
  return is_permitted(context, session_of(experiment), kDelivery);
}

void check_role(Experiments& all, const RunningExperiment& experiment,
                const ExperimentActionKind& kind, const StartedAction& action) {
  for (const NeededPermission& needed : kind.permissions) {
    const std::string parameter(needed.with_parameter);
    if (!parameter.empty() && !action.parameters.contains(parameter)) continue;
    const api::Parameters none;
    authorisation::RequestContext context{.backend = all.backend, .parameters = none};
    context.keys["ec2:fisactionid"] = {std::string(kind.id)};
    if (needed.tags_it) context.keys["aws:requesttag/managedbyfis"] = {"true"};
    std::vector<authorisation::Permission> permissions;
    for (const std::string& resource : resources_of(needed, kind, action))
      permissions.push_back({.action = std::string(needed.action), .resource = resource});
    if (!is_permitted(context, session_of(experiment), permissions))
      throw ApiError("AccessDeniedException", "Not authorized to perform the required action.");
  }
}

}  // namespace fakes::fis
