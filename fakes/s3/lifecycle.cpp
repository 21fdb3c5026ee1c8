#include "fakes/s3/actions.h"

namespace fakes::s3 {
namespace {

namespace aws = api::s3;
using sim::objects::ApiError;
using sim::objects::LifecycleRule;

LifecycleRule read_rule(const aws::LifecycleRule& rule, std::size_t number) {
  const auto& aborted = rule.abort_incomplete_multipart_upload;
  if (!aborted || aborted->days_after_initiation.value_or(0) <= 0)
    throw ApiError("InvalidRequest",
                   "At least one action needs to be specified in a rule; this simulated AWS has "
                   "AbortIncompleteMultipartUpload with DaysAfterInitiation of 1 or more");
  return {.id = rule.id.value_or("rule-" + std::to_string(number)),
          .prefix = rule.filter ? rule.filter->prefix.value_or("") : rule.prefix.value_or(""),
          .days = static_cast<int>(std::min<std::int64_t>(*aborted->days_after_initiation, 36500)),
          .enabled = rule.status == "Enabled"};
}

}  // namespace

op::PutBucketLifecycleConfiguration::Response put_lifecycle(
    Call& call, const op::PutBucketLifecycleConfiguration::Request& request) {
  std::vector<LifecycleRule> rules;
  if (request.lifecycle_configuration)
    for (const auto& rule : request.lifecycle_configuration->rules)
      rules.push_back(read_rule(rule, rules.size() + 1));
  if (rules.empty())
    throw ApiError("MalformedXML",
                   "The XML you provided was not well-formed or did not validate against our "
                   "published schema");
  call.backend.objects.set_lifecycle(request.bucket.value(), std::move(rules));
  return {};
}

op::GetBucketLifecycleConfiguration::Response get_lifecycle(
    Call& call, const op::GetBucketLifecycleConfiguration::Request& request) {
  const auto& rules = call.backend.objects.bucket(request.bucket.value()).lifecycle;
  if (rules.empty())
    throw ApiError("NoSuchLifecycleConfiguration", "The lifecycle configuration does not exist",
                   404)
        .with("BucketName", request.bucket.value());
  op::GetBucketLifecycleConfiguration::Response response;
  for (const LifecycleRule& rule : rules)
    response.rules.push_back(
        {.abort_incomplete_multipart_upload = {{.days_after_initiation = rule.days}},
         .filter = {{.prefix = rule.prefix}},
         .id = rule.id,
         .status = rule.enabled ? "Enabled" : "Disabled"});
  return response;
}

op::DeleteBucketLifecycle::Response delete_lifecycle(
    Call& call, const op::DeleteBucketLifecycle::Request& request) {
  call.backend.objects.set_lifecycle(request.bucket.value(), {});
  return {};
}

}  // namespace fakes::s3
