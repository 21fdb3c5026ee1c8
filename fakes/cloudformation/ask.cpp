#include "fakes/cloudformation/ask.h"

#include <fmt/format.h>

#include <algorithm>

#include "fakes/direct.h"

namespace fakes::cloudformation {
namespace {

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

}  // namespace

std::shared_ptr<const void> ask_service(Backend& backend, const api::Service& service,
                                        const api::Operation& operation, const void* request) {
  const DirectReply reply = call_for_service(
      backend, {service, operation, request, backend.cloud.config().region}, "cloudformation");
  if (reply.response) return reply.response;
  const api::Error& error = reply.error;
  throw ApiError(error.code,
                 fmt::format("{} (Service: {}; Status Code: {}; Error Code: {})", error.message,
                             shown_name(service.name), error.status, error.code),
                 error.status);
}

bool is_missing(const ApiError& error) {
  const std::string& code = error.code();
  return code.ends_with(".NotFound") || code.ends_with(".NotFoundException") ||
         code == "NoSuchBucket" || code == "NoSuchEntity" || code == "ResourceNotFoundException" ||
         code == "ResourceNotFound" || code == "NotFound" || code.ends_with(".NonExistentQueue");
}

ApiError not_simulated(std::string_view type, const std::string& what) {
  return {"UnsupportedOperation",
          fmt::format("{} of {} is not part of this simulated AWS.", what, type)};
}

}  // namespace fakes::cloudformation
