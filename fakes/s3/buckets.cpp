#include <fmt/format.h>

#include "fakes/regions.h"
#include "fakes/s3/actions.h"
#include "fakes/s3/bodies.h"
#include "fakes/s3/bucket_settings.h"
#include "fakes/s3/owner.h"
#include "sim/market/pool.h"

namespace fakes::s3 {
namespace {

using sim::cloud::ApiError;

api::List<aws::Grant> owners_grants(const Backend& backend) {
  api::List<aws::Grant> grants;
  aws::Grant& grant = grants.emplace_back();
  grant.permission = "FULL_CONTROL";
  grant.grantee.emplace();
  grant.grantee->id = owner_of(backend).id;
  grant.grantee->type = "CanonicalUser";
  return grants;
}

const std::string& region_of(const Call& call, const sim::objects::Bucket& bucket) {
  return bucket.region.empty() ? call.cloud.config().region : bucket.region;
}

ApiError incompatible(const std::string& constraint) {
  return {"IllegalLocationConstraintException",
          fmt::format("The {} location constraint is incompatible for the region specific endpoint "
                      "this request was sent to.",
                      constraint)};
}

// The region of a new bucket. The endpoint of us-east-1 creates buckets in every region. Every
// other endpoint creates them in its own region only (S3 API reference, "CreateBucket").
std::string region_for(const Call& call, const std::string& constraint) {
  const std::string& here = call.region.empty() ? call.cloud.config().region : call.region;
  if (here != "us-east-1") {
    if (constraint != here) throw incompatible(constraint.empty() ? "unspecified" : constraint);
    return here;
  }
  if (constraint.empty()) return here;
  const std::string region = constraint == "EU" ? "eu-west-1" : constraint;
  if (region == here || !sim::market::is_region(region))
    throw ApiError("InvalidLocationConstraint", "The specified location-constraint is not valid")
        .with("LocationConstraint", constraint);
  const bool one_region = call.region.empty();  // in this world
  if (one_region || (has_further_regions(call.backend) && !find_region(call.backend, region)))
    throw incompatible(constraint);
  return region;
}

}  // namespace

op::CreateBucket::Response create_bucket(Call& call, const op::CreateBucket::Request& request) {
  const std::string& name = request.bucket.value();
  const auto& configuration = request.create_bucket_configuration;
  const std::string region =
      region_for(call, configuration ? configuration->location_constraint.value_or("") : "");
  const auto& buckets = call.backend.objects.buckets();
  const auto found = buckets.find(name);
  // In us-east-1, creating one's own bucket again succeeds (S3 API reference, "CreateBucket").
  const bool again =
      region == "us-east-1" && found != buckets.end() && region_of(call, found->second) == region;
  if (!again)
    call.backend.objects.create_bucket(name, region == call.cloud.config().region ? "" : region);
  return {.location = "/" + name};
}

op::DeleteBucket::Response delete_bucket(Call& call, const op::DeleteBucket::Request& request) {
  call.backend.objects.delete_bucket(request.bucket.value());
  call.backend.bucket_settings.erase(request.bucket.value());
  return {};
}

op::HeadBucket::Response head_bucket(Call& call, const op::HeadBucket::Request& request) {
  call.backend.objects.bucket(request.bucket.value());
  return {};
}

op::ListBuckets::Response list_buckets(Call& call, const op::ListBuckets::Request& request) {
  constexpr std::int64_t kMost = 10'000;
  const std::string& region = call.region.empty() ? call.cloud.config().region : call.region;
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
  // The continuation token is the name of the last bucket of the previous page.
  for (auto at = buckets.upper_bound(request.continuation_token.value_or("")); at != buckets.end();
       ++at) {
    if (!at->first.starts_with(prefix)) continue;
    const std::string& its_region = region_of(call, at->second);
    if (request.bucket_region && its_region != *request.bucket_region) continue;
    if (static_cast<std::int64_t>(response.buckets.size()) == most) {
      response.continuation_token = response.buckets.back().name;
      break;
    }
    response.buckets.push_back({.creation_date = timestamp(at->second.created), .name = at->first});
    if (request.prefix || request.max_buckets || request.bucket_region)
      response.buckets.back().bucket_region = its_region;
  }
  return response;
}

op::GetBucketLocation::Response get_bucket_location(Call& call,
                                                    const op::GetBucketLocation::Request& request) {
  const std::string& region = region_of(call, call.backend.objects.bucket(request.bucket.value()));
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
  if (!enforces_ownership(settings_of(call, request.bucket.value())))
    throw ApiError("NotImplemented", "This simulated AWS has no access lists.", 501);
  throw ApiError("AccessControlListNotSupported", "The bucket does not allow ACLs");
}

}  // namespace fakes::s3
