// Actions that read objects.
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "fakes/s3/actions.h"
#include "fakes/s3/bodies.h"
#include "fakes/s3/conditions.h"
#include "fakes/s3/description.h"
#include "fakes/web/byte_range.h"

namespace fakes::s3 {
namespace {

using sim::objects::Object;

// The bytes that a request reads: all, a range, or one part of a multipart upload.
struct Extent {
  std::uint64_t first = 0, count = 0;
  bool part = false;
};

Extent part_of(const Object& object, std::int64_t number) {
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < object.part_sizes.size(); ++i) {
    if (static_cast<std::int64_t>(i) + 1 == number) return {first, object.part_sizes[i], true};
    first += object.part_sizes[i];
  }
  if (number == 1 && object.part_sizes.empty()) return {0, object.body.size(), true};
  throw ApiError("InvalidPartNumber", "The requested partnumber is not satisfiable", 416)
      .with("ActualPartCount", std::to_string(std::max<std::size_t>(object.part_sizes.size(), 1)))
      .with("PartNumberRequested", std::to_string(number));
}

template <class Request>
Extent extent_of(const Object& object, const Request& request) {
  if (request.part_number) return part_of(object, *request.part_number);
  const ByteRange range = read_byte_range(request.range.value_or(""), object.body.size());
  if (range.kind == ByteRange::Kind::kUnsatisfiable)
    throw ApiError("InvalidRange", "The requested range is not satisfiable", 416)
        .with("RangeRequested", *request.range)
        .with("ActualObjectSize", std::to_string(object.body.size()));
  if (range.kind == ByteRange::Kind::kWhole) return {0, object.body.size(), false};
  return {range.first, range.count, true};
}

// The common part of GetObject and HeadObject.
template <class Response, class Request>
Response read(Call& call, const Request& request) {
  const Object& object = call.backend.objects.object(request.bucket.value(), request.key.value());
  check(conditions_of(request), object, true);
  const Extent extent = extent_of(object, request);
  Response response;
  response.accept_ranges = "bytes";
  response.e_tag = quoted(object.etag);
  response.last_modified = timestamp(object.last_modified);
  show(response, object.description);
  show_encryption(response, object.description);
  if (request.checksum_mode == "ENABLED" && !extent.part)
    show_checksums(response, object.checksums);
  if (request.part_number && !object.part_sizes.empty())
    response.parts_count = static_cast<std::int64_t>(object.part_sizes.size());
  send(call, object.body, extent.first, extent.count);
  if (extent.part && extent.count > 0) {
    call.status = 206;
    if constexpr (requires { response.content_range; })
      response.content_range = fmt::format("bytes {}-{}/{}", extent.first,
                                           extent.first + extent.count - 1, object.body.size());
  }
  if constexpr (requires { response.tag_count; })
    if (!object.tags.empty()) response.tag_count = static_cast<std::int64_t>(object.tags.size());
  return response;
}

}  // namespace

op::GetObject::Response get_object(Call& call, const op::GetObject::Request& request) {
  const Object& object = call.backend.objects.object(request.bucket.value(), request.key.value());
  if (is_archived(object))
    throw ApiError("InvalidObjectState",
                   "The operation is not valid for the object's storage class", 403)
        .with("StorageClass", object.description.storage_class);
  auto response = read<op::GetObject::Response>(call, request);
  const auto replace = [](auto& shown, const auto& asked) {
    if constexpr (std::is_same_v<std::decay_t<decltype(*asked)>, std::string>) {
      if (asked && std::ranges::any_of(*asked, [](unsigned char c) { return c < ' '; }))
        throw ApiError("InvalidArgument", "A header cannot have a line end or a tab");
    }
    if (asked) shown = asked;
  };
  replace(response.cache_control, request.response_cache_control);
  replace(response.content_disposition, request.response_content_disposition);
  replace(response.content_encoding, request.response_content_encoding);
  replace(response.content_language, request.response_content_language);
  replace(response.content_type, request.response_content_type);
  replace(response.expires, request.response_expires);
  return response;
}

op::HeadObject::Response head_object(Call& call, const op::HeadObject::Request& request) {
  return read<op::HeadObject::Response>(call, request);
}

op::GetObjectAttributes::Response get_object_attributes(
    Call& call, const op::GetObjectAttributes::Request& request) {
  const Object& object = call.backend.objects.object(request.bucket.value(), request.key.value());
  op::GetObjectAttributes::Response response{.last_modified = timestamp(object.last_modified)};
  for (const std::string& attribute : request.object_attributes) {
    if (attribute == "ETag") response.e_tag = object.etag;
    if (attribute == "ObjectSize")
      response.object_size = static_cast<std::int64_t>(object.body.size());
    if (attribute == "StorageClass") response.storage_class = object.description.storage_class;
    if (attribute == "Checksum" && !object.checksums.empty())
      show_checksums(response.checksum.emplace(), object.checksums);
    if (attribute != "ObjectParts" || object.part_sizes.empty()) continue;
    auto& parts = response.object_parts.emplace();
    const auto count = static_cast<std::int64_t>(object.part_sizes.size());
    const std::int64_t after = request.part_number_marker.value_or(0);
    const std::int64_t most = std::clamp<std::int64_t>(request.max_parts.value_or(1000), 0, 1000);
    parts.total_parts_count = count;
    parts.part_number_marker = after;
    parts.max_parts = most;
    for (std::int64_t n = std::max<std::int64_t>(after, 0) + 1; n <= std::min(count, after + most);
         ++n)
      parts.parts.push_back(
          {.part_number = n,
           .size = static_cast<std::int64_t>(object.part_sizes[static_cast<std::size_t>(n - 1)])});
    parts.is_truncated = after + most < count;
    parts.next_part_number_marker = std::min(count, after + most);
  }
  return response;
}

}  // namespace fakes::s3
