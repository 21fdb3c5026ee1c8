#include "fakes/s3/actions.h"
#include "fakes/s3/bodies.h"
#include "fakes/s3/owner.h"

namespace fakes::s3 {
namespace {

api::List<aws::Grant> owners_grants(const Backend& backend) {
  api::List<aws::Grant> grants;
  aws::Grant& grant = grants.emplace_back();
  grant.permission = "FULL_CONTROL";
  grant.grantee.emplace();
  grant.grantee->id = owner_of(backend).id;
  grant.grantee->type = "CanonicalUser";
  return grants;
}

}  // namespace

op::CreateBucket::Response create_bucket(Call& call, const op::CreateBucket::Request& request) {
  const std::string& region = call.cloud.config().region;
  const auto& configuration = request.create_bucket_configuration;
  const std::string wanted =
      configuration ? configuration->location_constraint.value_or("") : "us-east-1";
  const bool none_stated = wanted == "us-east-1" || wanted.empty();
  if (wanted != region && !(none_stated && region == "us-east-1"))
    throw ApiError("IllegalLocationConstraintException",
                   none_stated ? "The unspecified location constraint is incompatible for the "
                                 "region specific endpoint this request was sent to."
                               : "The " + wanted +
                                     " location constraint is incompatible for the region "
                                     "specific endpoint this request was sent to.");
  call.backend.objects.create_bucket(request.bucket.value());
  return {.location = "/" + request.bucket.value()};
}

op::DeleteBucket::Response delete_bucket(Call& call, const op::DeleteBucket::Request& request) {
  call.backend.objects.delete_bucket(request.bucket.value());
  return {};
}

op::HeadBucket::Response head_bucket(Call& call, const op::HeadBucket::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  return {};
}

op::ListBuckets::Response list_buckets(Call& call, const op::ListBuckets::Request& request) {
  constexpr std::int64_t kMost = 10'000;
  const std::string& region = call.cloud.config().region;
  const std::string prefix = request.prefix.value_or("");
  const std::int64_t most = request.max_buckets.value_or(kMost);
  if (most < 1 || most > kMost)
    throw ApiError("InvalidArgument",
                   "Argument max-buckets must be an integer between 1 and 10000");
  if (request.bucket_region && *request.bucket_region != region)
    throw ApiError("InvalidArgument", "Argument value " + *request.bucket_region +
                                          " is not a valid AWS Region of this endpoint");
  op::ListBuckets::Response response{.owner = owner_of(call.backend), .prefix = request.prefix};
  response.buckets.give();
  const auto& buckets = call.backend.objects.buckets();
  // A token is the name of the last bucket of the page before.
  for (auto at = buckets.upper_bound(request.continuation_token.value_or("")); at != buckets.end();
       ++at) {
    if (!at->first.starts_with(prefix)) continue;
    if (static_cast<std::int64_t>(response.buckets.size()) == most) {
      response.continuation_token = response.buckets.back().name;
      break;
    }
    response.buckets.push_back({.creation_date = timestamp(at->second.created), .name = at->first});
    if (request.prefix || request.max_buckets || request.bucket_region)
      response.buckets.back().bucket_region = region;
  }
  return response;
}

op::GetBucketLocation::Response get_bucket_location(Call& call,
                                                    const op::GetBucketLocation::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  const std::string& region = call.cloud.config().region;
  if (region == "us-east-1") return {};
  return {.location_constraint = region};
}

op::GetBucketVersioning::Response get_bucket_versioning(
    Call& call, const op::GetBucketVersioning::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  return {};
}

op::GetBucketAcl::Response get_bucket_acl(Call& call, const op::GetBucketAcl::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  return {.grants = owners_grants(call.backend), .owner = owner_of(call.backend)};
}

op::GetObjectAcl::Response get_object_acl(Call& call, const op::GetObjectAcl::Request& request) {
  call.backend.objects.object(request.bucket.value(), request.key.value());
  return {.grants = owners_grants(call.backend), .owner = owner_of(call.backend)};
}

op::PutBucketAcl::Response put_bucket_acl(Call& call, const op::PutBucketAcl::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  if (request.acl == "private" && !request.access_control_policy) return {};
  throw ApiError("AccessControlListNotSupported", "The bucket does not allow ACLs");
}

}  // namespace fakes::s3
