#include "fakes/cloudformation/ask.h"

#include <fmt/format.h>

#include <algorithm>

#include "fakes/direct.h"
#include "fakes/role_use.h"

namespace fakes::cloudformation {
namespace {

constexpr const char* kPrincipal = "cloudformation.amazonaws.com";

struct ServiceName {
  std::string_view model, shown;
};
// The names of services in exceptions of AWS's Java SDK, which stack events show.
constexpr ServiceName kServiceNames[] = {
    {"autoscaling", "AmazonAutoScaling"},
    {"cloudwatch", "AmazonCloudWatch"},
    {"ec2", "AmazonEC2"},
    {"events", "AmazonCloudWatchEvents"},
    {"iam", "AmazonIdentityManagement"},
    {"logs", "AWSLogs"},
    {"s3", "Amazon S3"},
    {"sns", "AmazonSNS"},
    {"sqs", "AmazonSQS"},
    {"ssm", "AWSSimpleSystemsManagement"},
};

std::string_view shown_name(std::string_view model) {
  const auto found = std::ranges::find(kServiceNames, model, &ServiceName::model);
  return found == std::end(kServiceNames) ? model : found->shown;
}

// The role exists, if IAM decides.
sim::iam::Caller session_of(Backend& backend, const std::string& role_arn) {
  check_role(backend, role_arn);
  const std::string& name = backend.iam->find_role_by_arn(role_arn)->name;
  backend.iam->use_role(name, backend.cloud.config().region);
  return backend.iam->caller_of_role(name, "AWSCloudFormation");
}

// Who calls the services. Calls with a role have the condition keys of forwarded calls, too
// (CloudFormation User Guide, "Forward access sessions (FAS) requests and permission evaluation").
std::optional<sim::iam::Caller> principal_of(Backend& backend, const sim::stacks::Actor& actor) {
  if (!backend.iam->decides()) return {};
  auto principal = actor.role_arn.empty() ? actor.caller : session_of(backend, actor.role_arn);
  if (principal) principal->called_via.emplace_back(kPrincipal);
  return principal;
}

}  // namespace

std::shared_ptr<const void> ask_service(Backend& backend, const sim::stacks::Actor& actor,
                                        const api::Service& service,
                                        const api::Operation& operation, const void* request) {
  const auto principal = principal_of(backend, actor);
  const DirectReply reply =
      call_for_service(backend,
                       {service, operation, request, backend.cloud.config().region,
                        principal ? &*principal : nullptr},
                       "cloudformation");
  if (reply.response) return reply.response;
  const api::Error& error = reply.error;
  if (principal && is_denial(error.code))
    throw ApiError(error.code,
                   fmt::format("API: {}:{} {}", service.name, operation.name, error.message),
                   error.status);
  throw ApiError(error.code,
                 fmt::format("{} (Service: {}; Status Code: {}; Error Code: {})", error.message,
                             shown_name(service.name), error.status, error.code),
                 error.status);
}

void check_role(Backend& backend, const std::string& role_arn) {
  if (!can_assume(backend, kPrincipal, role_arn))
    throw sim::stacks::invalid(fmt::format("Role {} is invalid or cannot be assumed", role_arn));
}

bool is_denial(std::string_view code) {
  constexpr std::string_view kCodes[] = {"AccessDenied", "AccessDeniedException",
                                         "UnauthorizedOperation"};
  return std::ranges::find(kCodes, code) != std::end(kCodes);
}

bool is_missing(const ApiError& error) {
  const std::string& code = error.code();
  return code.ends_with(".NotFound") || code.ends_with(".NotFoundException") ||
         code == "NoSuchBucket" || code == "NoSuchEntity" || code == "ResourceNotFoundException" ||
         code == "ResourceNotFound" || code == "NotFound" || code == "ParameterNotFound" ||
         code.ends_with(".NonExistentQueue");
}

ApiError not_simulated(std::string_view type, const std::string& what) {
  return {"UnsupportedOperation",
          fmt::format("{} of {} is not part of this simulated AWS.", what, type)};
}

}  // namespace fakes::cloudformation
