#include "fakes/s3/tagging.h"

#include "api/form.h"
#include "fakes/s3/actions.h"

namespace fakes::s3 {
namespace {

using sim::objects::ApiError;
using sim::objects::Tags;

// S3 User Guide, "Categorizing your storage using tags"; "Using cost allocation S3 bucket tags".
constexpr std::size_t kMostOfObject = 10, kMostOfBucket = 50, kLongestKey = 128,
                      kLongestValue = 256;

void add(Tags& tags, const std::string& key, const std::string& value, std::size_t most) {
  if (key.empty() || key.size() > kLongestKey)
    throw ApiError("InvalidTag", "The TagKey you have provided is invalid");
  if (value.size() > kLongestValue)
    throw ApiError("InvalidTag", "The TagValue you have provided is invalid");
  if (!tags.emplace(key, value).second)
    throw ApiError("InvalidTag", "Cannot provide multiple Tags with the same key");
  if (tags.size() > most)
    throw ApiError("BadRequest", "Object tags cannot be greater than " + std::to_string(most));
}

api::List<api::s3::Tag> shown(const Tags& tags) {
  api::List<api::s3::Tag> list;
  list.give();
  for (const auto& [key, value] : tags) list.push_back({.key = key, .value = value});
  return list;
}

}  // namespace

Tags read_tags(const std::optional<api::s3::Tagging>& tagging, std::size_t most) {
  Tags tags;
  if (tagging)
    for (const auto& tag : tagging->tag_set)
      add(tags, tag.key.value_or(""), tag.value.value_or(""), most);
  return tags;
}

Tags read_tags(const std::optional<std::string>& header) {
  Tags tags;
  if (!header) return tags;
  api::Parameters parameters;
  api::parse_form(*header, parameters);
  for (const auto& [key, value] : parameters) add(tags, key, value, kMostOfObject);
  return tags;
}

op::GetBucketTagging::Response get_bucket_tagging(Call& call,
                                                  const op::GetBucketTagging::Request& request) {
  const Tags& tags = call.backend.objects.bucket(request.bucket.value()).tags;
  if (tags.empty())
    throw ApiError("NoSuchTagSet", "The TagSet does not exist", 404)
        .with("BucketName", request.bucket.value());
  return {.tag_set = shown(tags)};
}

op::PutBucketTagging::Response put_bucket_tagging(Call& call,
                                                  const op::PutBucketTagging::Request& request) {
  call.backend.objects.set_tags(request.bucket.value(), read_tags(request.tagging, kMostOfBucket));
  return {};
}

op::DeleteBucketTagging::Response delete_bucket_tagging(
    Call& call, const op::DeleteBucketTagging::Request& request) {
  call.backend.objects.set_tags(request.bucket.value(), Tags());
  return {};
}

op::GetObjectTagging::Response get_object_tagging(Call& call,
                                                  const op::GetObjectTagging::Request& request) {
  return {.tag_set =
              shown(call.backend.objects.object(request.bucket.value(), request.key.value()).tags)};
}

op::PutObjectTagging::Response put_object_tagging(Call& call,
                                                  const op::PutObjectTagging::Request& request) {
  call.backend.objects.set_tags(request.bucket.value(), request.key.value(),
                                read_tags(request.tagging, kMostOfObject));
  return {};
}

op::DeleteObjectTagging::Response delete_object_tagging(
    Call& call, const op::DeleteObjectTagging::Request& request) {
  call.backend.objects.set_tags(request.bucket.value(), request.key.value(), Tags());
  return {};
}

}  // namespace fakes::s3
