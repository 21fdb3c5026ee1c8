// Multipart uploads.
#include <algorithm>

#include "api/percent.h"
#include "fakes/s3/actions.h"
#include "fakes/s3/arguments.h"
#include "fakes/s3/bodies.h"
#include "fakes/s3/conditions.h"
#include "fakes/s3/copy_source.h"
#include "fakes/s3/description.h"
#include "fakes/s3/owner.h"
#include "fakes/s3/tagging.h"
#include "fakes/web/byte_range.h"

namespace fakes::s3 {
namespace {

using sim::objects::Expected;
using sim::objects::NamedPart;
using sim::objects::Object;
using sim::objects::Part;
using sim::objects::Store;
using sim::objects::to_hex;
using sim::objects::Upload;

constexpr std::int64_t kMostListed = 1000, kLastPart = 10'000;

int part_number(const std::optional<std::int64_t>& number) {
  if (number.value_or(0) < 1 || *number > kLastPart)
    throw invalid_argument("partNumber", std::to_string(number.value_or(0)),
                           "Part number must be an integer between 1 and 10000, inclusive");
  return static_cast<int>(*number);
}

sim::objects::Body part_of(const Object& source, const std::optional<std::string>& range) {
  if (!range) return source.body;
  const ByteRange asked = read_byte_range(*range, source.body.size());
  if (asked.kind != ByteRange::Kind::kPart)
    throw ApiError("InvalidArgument",
                   "The x-amz-copy-source-range value must be of the form bytes=first-last where "
                   "first and last are the zero-based offsets of the first and last bytes to copy");
  return source.body.slice(asked.first, asked.count);
}

ApiError wrong_checksum_type(const std::string& type) {
  return ApiError("InvalidRequest",
                  "The checksum type " + type + " cannot be used with this checksum algorithm.");
}

// Whether the checksum of a multipart upload is that of all bytes (FULL_OBJECT) rather than one of
// the parts' checksums (COMPOSITE). SHA allows only COMPOSITE, CRC64NVME only FULL_OBJECT (S3 User
// Guide, "Checking object integrity").
bool is_full_object(const std::optional<Algorithm>& algorithm,
                    const std::optional<std::string>& type) {
  const bool only_full = algorithm == Algorithm::kCrc64Nvme;
  if (!type) return only_full;
  const bool full = *type == "FULL_OBJECT";
  const bool is_crc =
      only_full || algorithm == Algorithm::kCrc32 || algorithm == Algorithm::kCrc32c;
  if ((full && !is_crc) || (!full && (only_full || *type != "COMPOSITE")))
    throw wrong_checksum_type(*type);
  return full;
}

Part as_part(Received received) {
  return {.body = std::move(received.body),
          .md5 = std::move(received.md5),
          .checksums = std::move(received.checksums)};
}

std::string url_of(const Call& call, const std::string& bucket, const std::string& key) {
  std::string url = "https://" + bucket + ".s3." + call.cloud.config().region + ".amazonaws.com/";
  api::append_percent(url, key, "/");
  return url;
}

}  // namespace

op::CreateMultipartUpload::Response create_multipart_upload(
    Call& call, const op::CreateMultipartUpload::Request& request) {
  Store& store = call.backend.objects;
  store.bucket(request.bucket.value());
  Upload upload{.key = checked_key(request.key),
                .description = description_of(request),
                .tags = read_tags(request.tagging),
                .algorithm = algorithm_named(request.checksum_algorithm)};
  upload.full_object = is_full_object(upload.algorithm, request.checksum_type);
  op::CreateMultipartUpload::Response response{.bucket = request.bucket,
                                               .checksum_algorithm = request.checksum_algorithm,
                                               .key = request.key};
  show_encryption(response, upload.description);
  response.upload_id = store.begin_upload(request.bucket.value(), std::move(upload));
  return response;
}

op::UploadPart::Response upload_part(Call& call, const op::UploadPart::Request& request) {
  Store& store = call.backend.objects;
  const auto& [bucket, id, key] =
      std::tie(request.bucket.value(), request.upload_id.value(), request.key.value());
  const Upload& upload = store.upload(bucket, id, key);
  const int number = part_number(request.part_number);
  Claims claims = claims_of(request);
  auto sent = claims.algorithm ? claims.algorithm : upload.algorithm;
  if (!claims.checksums.empty()) sent = claims.checksums.begin()->first;
  if (upload.algorithm && sent != upload.algorithm)
    throw ApiError("InvalidRequest", "Checksum Type mismatch occurred, expected checksum Type: " +
                                         name_of(*upload.algorithm));
  claims.algorithm = sent;
  const Part& part =
      store.put_part(bucket, id, key, number, as_part(receive(call, request.body, claims)));
  op::UploadPart::Response response{.e_tag = quoted(to_hex(part.md5))};
  show_checksums(response, part.checksums);
  show_encryption(response, upload.description);
  return response;
}

op::UploadPartCopy::Response upload_part_copy(Call& call,
                                              const op::UploadPartCopy::Request& request) {
  Store& store = call.backend.objects;
  const CopySource from = copy_source_of(request.copy_source.value());
  const Object& source = store.object(from.bucket, from.key);
  check(source_conditions_of(request), source, false);
  check_copied(source);
  const Upload& upload =
      store.upload(request.bucket.value(), request.upload_id.value(), request.key.value());
  const Part& part = store.put_part(
      request.bucket.value(), request.upload_id.value(), request.key.value(),
      part_number(request.part_number),
      as_part(of_stored(part_of(source, request.copy_source_range), upload.algorithm)));
  count_copy(call, from.bucket, request.bucket.value(), part.body.size());
  op::UploadPartCopy::Response response{
      .copy_part_result = {
          {.e_tag = quoted(to_hex(part.md5)), .last_modified = timestamp(part.last_modified)}}};
  show_checksums(*response.copy_part_result, part.checksums);
  return response;
}

op::CompleteMultipartUpload::Response complete_multipart_upload(
    Call& call, const op::CompleteMultipartUpload::Request& request) {
  std::vector<NamedPart> parts;
  if (request.multipart_upload)
    for (const auto& part : request.multipart_upload->parts)
      parts.push_back({part_number(part.part_number), part.e_tag.value_or("")});
  const std::string &bucket = request.bucket.value(), &key = request.key.value();
  Store& store = call.backend.objects;
  const std::string& id = request.upload_id.value();
  // If the client repeats the request, the upload is already completed and the object exists.
  if (store.bucket(bucket).uploads.contains(id)) {
    const Upload& upload = store.upload(bucket, id, key);
    check_write(store, bucket, key, request.if_match, request.if_none_match);
    if (request.checksum_type &&
        is_full_object(upload.algorithm, request.checksum_type) != upload.full_object)
      throw wrong_checksum_type(*request.checksum_type);
  }
  Expected expected{.checksums = checksums_of(request)};
  if (request.mpu_object_size)
    expected.bytes = static_cast<std::uint64_t>(*request.mpu_object_size);
  const Object& object = store.complete_upload(bucket, id, key, parts, expected);
  op::CompleteMultipartUpload::Response response{.bucket = bucket,
                                                 .e_tag = quoted(object.etag),
                                                 .key = key,
                                                 .location = url_of(call, bucket, key)};
  show_checksums(response, object.checksums);
  show_encryption(response, object.description);
  return response;
}

op::AbortMultipartUpload::Response abort_multipart_upload(
    Call& call, const op::AbortMultipartUpload::Request& request) {
  call.backend.objects.abort_upload(request.bucket.value(), request.upload_id.value(),
                                    request.key.value());
  return {};
}

op::ListParts::Response list_parts(Call& call, const op::ListParts::Request& request) {
  const Upload& upload = call.backend.objects.upload(
      request.bucket.value(), request.upload_id.value(), request.key.value());
  const aws::Owner owner = owner_of(call.backend);
  const std::int64_t most =
      std::min(checked_count("max-parts", request.max_parts, kMostListed), kMostListed);
  const std::int64_t after = std::min<std::int64_t>(
      checked_count("part-number-marker", request.part_number_marker, 0), kLastPart);
  op::ListParts::Response response{.bucket = request.bucket,
                                   .initiator = {{.display_name = {}, .id = owner.id}},
                                   .is_truncated = false,
                                   .key = request.key,
                                   .max_parts = most,
                                   .next_part_number_marker = 0,
                                   .owner = owner,
                                   .part_number_marker = after,
                                   .storage_class = upload.description.storage_class,
                                   .upload_id = request.upload_id};
  if (upload.algorithm) response.checksum_algorithm = name_of(*upload.algorithm);
  for (auto at = upload.parts.upper_bound(static_cast<int>(after)); at != upload.parts.end();
       ++at) {
    if (static_cast<std::int64_t>(response.parts.size()) == most) {
      response.is_truncated = true;
      break;
    }
    const auto& [number, part] = *at;
    aws::Part shown{.e_tag = quoted(to_hex(part.md5)),
                    .last_modified = timestamp(part.last_modified),
                    .part_number = number,
                    .size = static_cast<std::int64_t>(part.body.size())};
    show_checksums(shown, part.checksums);
    response.parts.push_back(std::move(shown));
    response.next_part_number_marker = number;
  }
  return response;
}

op::ListMultipartUploads::Response list_multipart_uploads(
    Call& call, const op::ListMultipartUploads::Request& request) {
  const auto& bucket = call.backend.objects.bucket(request.bucket.value());
  const aws::Owner owner = owner_of(call.backend);
  const std::int64_t most =
      std::min(checked_count("max-uploads", request.max_uploads, kMostListed), kMostListed);
  // The list is sorted by key, then by time (S3 API reference, ListMultipartUploads).
  using Entry = std::tuple<std::string, sim::Time, std::string>;
  std::vector<Entry> entries;
  const std::string prefix = request.prefix.value_or("");
  for (const auto& [id, upload] : bucket.uploads)
    if (upload.key.starts_with(prefix)) entries.emplace_back(upload.key, upload.initiated, id);
  std::ranges::sort(entries);
  op::ListMultipartUploads::Response response{
      .bucket = request.bucket,
      .delimiter = request.delimiter,
      .is_truncated = false,
      .key_marker = request.key_marker.value_or(""),
      .max_uploads = most,
      .prefix = request.prefix,
      .upload_id_marker = request.upload_id_marker.value_or("")};
  const auto is_shown_before = [&](const Entry& entry) {
    const auto& [key, time, id] = entry;
    const std::string marker = request.key_marker.value_or("");
    const std::string delimiter = request.delimiter.value_or("");
    // The marker is a common prefix of the previous page, so the keys below it have been listed.
    if (!delimiter.empty() && marker.ends_with(delimiter) && key.starts_with(marker)) return true;
    if (marker.empty() || key > marker) return false;
    if (key < marker || !request.upload_id_marker) return true;
    const auto at = bucket.uploads.find(*request.upload_id_marker);
    return at == bucket.uploads.end() ||
           std::tie(time, id) <= std::tie(at->second.initiated, at->first);
  };
  std::string common, last_key, last_id;
  for (const Entry& entry : entries) {
    if (is_shown_before(entry)) continue;
    const auto& [key, time, id] = entry;
    const std::string delimiter = request.delimiter.value_or("");
    const auto cut = delimiter.empty() ? key.npos : key.find(delimiter, prefix.size());
    const bool joined = cut != key.npos;
    const std::string shared = joined ? key.substr(0, cut + delimiter.size()) : "";
    if (joined && shared == common) continue;
    if (static_cast<std::int64_t>(response.uploads.size() + response.common_prefixes.size()) ==
        most) {
      response.is_truncated = true;
      break;
    }
    common = shared;
    if (joined) {
      response.common_prefixes.push_back({.prefix = shared});
    } else {
      const Upload& upload = bucket.uploads.at(id);
      response.uploads.push_back({.initiated = timestamp(time),
                                  .initiator = {{.display_name = {}, .id = owner.id}},
                                  .key = key,
                                  .owner = owner,
                                  .storage_class = upload.description.storage_class,
                                  .upload_id = id});
    }
    last_key = joined ? shared : key;
    last_id = joined ? "" : id;
  }
  if (*response.is_truncated) {
    response.next_key_marker = last_key;
    response.next_upload_id_marker = last_id;
  }
  return response;
}

}  // namespace fakes::s3
