// ListObjects and ListObjectsV2.
#include <algorithm>

#include "api/percent.h"
#include "base/text/base64.h"
#include "fakes/s3/actions.h"
#include "fakes/s3/arguments.h"
#include "fakes/s3/bodies.h"
#include "fakes/s3/owner.h"
#include "sim/objects/listing.h"

namespace fakes::s3 {
namespace {

using sim::objects::Listing;
using sim::objects::ListQuery;

constexpr std::int64_t kMostKeys = 1000;

// Encodes keys and prefixes of a list if the client asks for encoding-type=url. A key may contain
// characters that XML does not allow.
class Spelling {
 public:
  explicit Spelling(const std::optional<std::string>& encoding) : url_(encoding == "url") {}
  std::string operator()(const std::string& text) const {
    if (!url_) return text;
    std::string out;
    api::append_percent(out, text, "/");
    return out;
  }
  std::optional<std::string> operator()(const std::optional<std::string>& text) const {
    return text ? std::optional((*this)(*text)) : std::nullopt;
  }

 private:
  bool url_;
};

template <class Request>
std::int64_t most_of(const Request& request) {
  return std::min(checked_count("max-keys", request.max_keys, kMostKeys), kMostKeys);
}

template <class Response>
void show_listing(Response& response, const Listing& listing, const Spelling& spelling,
                  const std::optional<aws::Owner>& owner) {
  for (const auto& [key, object] : listing.entries) {
    aws::Object entry{.e_tag = quoted(object->etag),
                      .key = spelling(key),
                      .last_modified = timestamp(object->last_modified),
                      .owner = owner,
                      .size = static_cast<std::int64_t>(object->body.size()),
                      .storage_class = object->description.storage_class};
    for (const auto& [algorithm, value] : object->checksums)
      entry.checksum_algorithm.push_back(name_of(algorithm));
    response.contents.push_back(std::move(entry));
  }
  for (const std::string& prefix : listing.common_prefixes)
    response.common_prefixes.push_back({.prefix = spelling(prefix)});
  response.is_truncated = listing.truncated;
}

}  // namespace

op::ListObjectsV2::Response list_objects_v2(Call& call, const op::ListObjectsV2::Request& request) {
  const auto& bucket = call.backend.objects.bucket(request.bucket.value());
  ListQuery query{.prefix = request.prefix.value_or(""),
                  .delimiter = request.delimiter.value_or(""),
                  .after = request.start_after.value_or(""),
                  .most = static_cast<std::size_t>(most_of(request))};
  if (request.continuation_token) {
    const auto after = base::base64_decode(*request.continuation_token);
    if (!after || after->empty())
      throw ApiError("InvalidArgument", "The continuation token provided is incorrect")
          .with("ArgumentName", "continuation-token");
    query.after = *after;
  }
  const Listing listing = list(bucket, query);
  const Spelling spelling(request.encoding_type);
  op::ListObjectsV2::Response response{.continuation_token = request.continuation_token,
                                       .delimiter = spelling(request.delimiter),
                                       .encoding_type = request.encoding_type,
                                       .max_keys = most_of(request),
                                       .name = request.bucket,
                                       .prefix = spelling(query.prefix),
                                       .start_after = spelling(request.start_after)};
  show_listing(
      response, listing, spelling,
      request.fetch_owner.value_or(false) ? std::optional(owner_of(call.backend)) : std::nullopt);
  response.key_count =
      static_cast<std::int64_t>(listing.entries.size() + listing.common_prefixes.size());
  if (listing.truncated) response.next_continuation_token = base::base64_encode(listing.last);
  return response;
}

op::ListObjects::Response list_objects(Call& call, const op::ListObjects::Request& request) {
  const auto& bucket = call.backend.objects.bucket(request.bucket.value());
  const ListQuery query{.prefix = request.prefix.value_or(""),
                        .delimiter = request.delimiter.value_or(""),
                        .after = request.marker.value_or(""),
                        .most = static_cast<std::size_t>(most_of(request))};
  const Listing listing = list(bucket, query);
  const Spelling spelling(request.encoding_type);
  op::ListObjects::Response response{.delimiter = spelling(request.delimiter),
                                     .encoding_type = request.encoding_type,
                                     .marker = spelling(request.marker.value_or("")),
                                     .max_keys = most_of(request),
                                     .name = request.bucket,
                                     .prefix = spelling(query.prefix)};
  show_listing(response, listing, spelling, owner_of(call.backend));
  // Only lists with a delimiter have a NextMarker. Without a delimiter, clients continue after the
  // last key (S3 API reference, ListObjects).
  if (listing.truncated && request.delimiter) response.next_marker = spelling(listing.last);
  return response;
}

}  // namespace fakes::s3
