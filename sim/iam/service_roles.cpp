#include "sim/iam/service_roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/iam/names.h"

namespace sim::iam {
namespace {

struct ServiceRole {
  std::string_view service, name, policy;
  bool takes_suffix = false;
};

// IAM User Guide, "AWS services that work with IAM", and each service's own page.
constexpr ServiceRole kServiceRoles[] = {
    {"autoscaling", "AutoScaling", "AutoScalingServiceRolePolicy", true},
    {"batch", "Batch", "BatchServiceRolePolicy"},
    {"ec2fleet", "EC2Fleet", "AWSEC2FleetServiceRolePolicy"},
    {"ecs", "ECS", "AmazonECSServiceRolePolicy"},
    {"elasticbeanstalk", "ElasticBeanstalk", "AWSElasticBeanstalkServiceRolePolicy"},
    {"elasticloadbalancing", "ElasticLoadBalancing", "AWSElasticLoadBalancingServiceRolePolicy"},
    {"spot", "EC2Spot", "AWSEC2SpotServiceRolePolicy"},
    {"spotfleet", "EC2SpotFleet", "AWSEC2SpotFleetServiceRolePolicy"},
};

ApiError invalid(const std::string& message) { return ApiError("InvalidInput", message); }

}  // namespace

Role service_linked_role(const std::string& service, const std::string& suffix) {
  const std::string_view own = std::string_view(service).substr(0, service.find('.'));
  const auto row = std::ranges::find(kServiceRoles, own, &ServiceRole::service);
  if (row == std::end(kServiceRoles) || service != fmt::format("{}.amazonaws.com", own))
    throw invalid(
        fmt::format("Service-linked role {} is not part of this simulated AWS. "
                    "Expected autoscaling, batch, ec2fleet, ecs, elasticbeanstalk, "
                    "elasticloadbalancing, spot or spotfleet.amazonaws.com.",
                    service));
  if (!suffix.empty() && !row->takes_suffix)
    throw invalid(fmt::format("Custom suffix is not allowed for {}", service));
  Role role;
  role.name = fmt::format("AWSServiceRoleFor{}{}{}", row->name, suffix.empty() ? "" : "_", suffix);
  role.path = fmt::format("/aws-service-role/{}/", service);
  role.trust_policy = fmt::format(
      R"({{"Version":"2012-10-17","Statement":[{{"Effect":"Allow","Principal":{{"Service":"{}"}},)"
      R"("Action":"sts:AssumeRole"}}]}})",
      service);
  role.attached_policies = {
      fmt::format("arn:aws:iam::aws:policy/aws-service-role/{}", row->policy)};
  return role;
}

}  // namespace sim::iam
