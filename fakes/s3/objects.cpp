// Actions that create and delete objects.
#include "api/form.h"
#include "api/percent.h"
#include "fakes/regions.h"
#include "fakes/s3/actions.h"
#include "fakes/s3/bodies.h"
#include "fakes/s3/conditions.h"
#include "fakes/s3/copy_source.h"
#include "fakes/s3/description.h"
#include "fakes/s3/tagging.h"

namespace fakes::s3 {
namespace {

using sim::objects::Description;
using sim::objects::Object;
using sim::objects::Store;
using sim::objects::to_hex;

constexpr std::size_t kLongestName = 1024;
constexpr std::size_t kMostMetadata = 2048;  // S3 User Guide, "Working with object metadata"
constexpr std::uint64_t kMostCopied = 5ull * 1024 * 1024 * 1024;

}  // namespace

// Archived objects can be read only after a RestoreObject, which is not served (S3 User Guide,
// "Working with archived objects").
bool is_archived(const Object& object) {
  const std::string& its = object.description.storage_class;
  return its == "GLACIER" || its == "DEEP_ARCHIVE";
}

void check_copied(const Object& source) {
  if (is_archived(source))
    throw ApiError("ObjectNotInActiveTierError",
                   "The source object of the COPY action is not in the active tier and is only "
                   "stored in Amazon S3 Glacier.",
                   403);
}

void check(const Description& description) {
  // These storage classes belong to other services: directory buckets, Outposts, Snow, FSx.
  for (const char* other : {"EXPRESS_ONEZONE", "OUTPOSTS", "SNOW", "FSX_OPENZFS", "FSX_ONTAP"})
    if (description.storage_class == other)
      throw ApiError("InvalidStorageClass", "The storage class you specified is not valid")
          .with("StorageClassRequested", other);
  std::size_t bytes = 0;
  for (const auto& [key, value] : description.metadata) bytes += key.size() + value.size();
  if (bytes > kMostMetadata)
    throw ApiError("MetadataTooLarge",
                   "Your metadata headers exceed the maximum allowed metadata size");
}

std::string checked_key(const std::optional<std::string>& key) {
  if (key.value_or("").size() > kLongestName)
    throw ApiError("KeyTooLongError", "Your key is too long");
  return key.value();
}

CopySource copy_source_of(const std::string& header) {
  std::string text = api::percent_decode(header.substr(0, header.find('?')), false);
  if (text.starts_with('/')) text.erase(0, 1);
  const auto slash = text.find('/');
  if (slash == text.npos || slash + 1 == text.size())
    throw ApiError("InvalidArgument",
                   "Copy Source must mention the source bucket and key: "
                   "sourcebucket/sourcekey");
  return {text.substr(0, slash), text.substr(slash + 1)};
}

op::PutObject::Response put_object(Call& call, const op::PutObject::Request& request) {
  Store& store = call.backend.objects;
  store.bucket(request.bucket.value());
  const std::string key = checked_key(request.key);
  check_write(store, request.bucket.value(), key, request.if_match, request.if_none_match);
  Object object{.description = description_of(request), .tags = read_tags(request.tagging)};
  Received received = receive(call, request.body, claims_of(request));
  object.body = std::move(received.body);
  object.etag = to_hex(received.md5);
  object.checksums = std::move(received.checksums);
  const Object& now = store.put(request.bucket.value(), key, std::move(object));
  op::PutObject::Response response{.e_tag = quoted(now.etag)};
  show_checksums(response, now.checksums);
  show_encryption(response, now.description);
  return response;
}

op::DeleteObject::Response delete_object(Call& call, const op::DeleteObject::Request& request) {
  Store& store = call.backend.objects;
  check_write(store, request.bucket.value(), request.key.value(), request.if_match);
  store.remove(request.bucket.value(), request.key.value());
  return {};
}

op::DeleteObjects::Response delete_objects(Call& call, const op::DeleteObjects::Request& request) {
  constexpr std::size_t kMost = 1000;
  const auto& objects = request.delete_.value().objects;
  if (objects.empty() || objects.size() > kMost)
    throw ApiError("MalformedXML",
                   "The XML you provided was not well-formed or did not validate against our "
                   "published schema");
  call.backend.objects.bucket(request.bucket.value());
  op::DeleteObjects::Response response;
  for (const auto& object : objects) {
    const std::string &bucket = request.bucket.value(), &key = object.key.value();
    try {
      check_write(call.backend.objects, bucket, key, object.e_tag);
      call.backend.objects.remove(bucket, key);
      if (!request.delete_->quiet.value_or(false)) response.deleted.push_back({.key = key});
    } catch (const ApiError& refused) {
      response.errors.push_back({.code = refused.code(), .key = key, .message = refused.what()});
    }
  }
  return response;
}

void count_copy(Call& call, const std::string& from, const std::string& to, std::uint64_t bytes) {
  const auto region_of = [&](const std::string& bucket) {
    const std::string& region = call.backend.objects.bucket(bucket).region;
    return region.empty() ? first_region(call.backend).cloud.config().region : region;
  };
  Backend* const sender = find_region(call.backend, region_of(from));
  if (sender != nullptr && region_of(from) != region_of(to))
    sender->sent_to_regions[region_of(to)] += bytes;
}

op::CopyObject::Response copy_object(Call& call, const op::CopyObject::Request& request) {
  Store& store = call.backend.objects;
  const CopySource from = copy_source_of(request.copy_source.value());
  const Object& source = store.object(from.bucket, from.key);
  store.bucket(request.bucket.value());
  check(source_conditions_of(request), source, false);
  check_copied(source);
  check_write(store, request.bucket.value(), request.key.value(), request.if_match,
              request.if_none_match);
  if (source.body.size() > kMostCopied)
    throw ApiError("InvalidRequest",
                   "The specified copy source is larger than the maximum allowable size for a "
                   "copy source: 5368709120");
  const bool replaces = request.metadata_directive == "REPLACE";
  const std::string key = checked_key(request.key);
  if (from.bucket == request.bucket && from.key == key && !replaces && !request.storage_class &&
      !request.server_side_encryption && !request.website_redirect_location)
    throw ApiError("InvalidRequest",
                   "This copy request is illegal because it is trying to copy an object to itself "
                   "without changing the object's metadata, storage class, website redirect "
                   "location or encryption attributes.");
  Description description = replaces ? description_of(request) : source.description;
  // These properties always come from the request, never from the source (S3 API reference,
  // CopyObject).
  description.storage_class = request.storage_class.value_or("STANDARD");
  description.encryption = request.server_side_encryption;
  description.key = request.ssekms_key_id;
  description.bucket_key = request.bucket_key_enabled;
  description.website_redirect_location = request.website_redirect_location;
  Object copy{
      .description = std::move(description),
      .tags = request.tagging_directive == "REPLACE" ? read_tags(request.tagging) : source.tags};
  // A copy is one piece, so its entity tag is the MD5 of all bytes.
  auto algorithm = algorithm_named(request.checksum_algorithm);
  if (!algorithm && !source.checksums.empty()) algorithm = source.checksums.begin()->first;
  Received received = of_stored(source.body, algorithm);
  copy.body = source.body;
  copy.etag = to_hex(received.md5);
  copy.checksums = std::move(received.checksums);
  const Object& now = store.put(request.bucket.value(), key, std::move(copy));
  count_copy(call, from.bucket, request.bucket.value(), now.body.size());
  op::CopyObject::Response response{
      .copy_object_result = {
          {.e_tag = quoted(now.etag), .last_modified = timestamp(now.last_modified)}}};
  show_checksums(*response.copy_object_result, now.checksums);
  show_encryption(response, now.description);
  return response;
}

}  // namespace fakes::s3
