#include "fakes/s3/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "api/form.h"
#include "api/percent.h"
#include "api/protocol.h"
#include "api/rest_unknown.h"
#include "api/s3.h"
#include "base/text/base64.h"
#include "base/text/lower_case.h"
#include "base/time/iso_time.h"
#include "fakes/s3/aws_chunked.h"
#include "fakes/s3/bodies.h"
#include "fakes/s3/post_form.h"
#include "fakes/s3/post_object.h"
#include "sim/objects/digest.h"

namespace fakes::s3 {
namespace {

using sim::cloud::ApiError;
using sim::objects::Algorithm;

std::string host_of(const api::HttpRequest& request) {
  const std::string* const host = request.headers.find("host");
  return host == nullptr ? "" : base::lower_case(host->substr(0, host->find(':')));
}

// The part of a host name before "s3", "s3-us-west-2", "s3.us-west-2" or "s3.dualstack.us-west-2",
// which is the bucket's name. `found` is false if the host is not S3's. A host name
// BUCKET.localhost is not S3's by itself, but names a bucket if the request is for S3 for another
// reason.
struct Endpoint {
  bool found = false;
  std::string bucket;
};

Endpoint endpoint_of(std::string_view host) {
  constexpr std::string_view kLocal = ".localhost", kAws = ".amazonaws.com";
  if (host.ends_with(kLocal)) {
    host.remove_suffix(kLocal.size());
    const auto at = host == "s3" || host.starts_with("s3.") ? 0 : host.rfind(".s3");
    const bool named = at != host.npos && (at + 3 == host.size() || at == 0 || host[at + 3] == '.');
    return {named, std::string(named ? host.substr(0, at) : host)};
  }
  if (!host.ends_with(kAws)) return {};
  host.remove_suffix(kAws.size());
  for (std::size_t end = host.size();;) {
    const auto dot = host.substr(0, end).rfind('.');
    const auto begin = dot == host.npos ? 0 : dot + 1;
    const std::string_view label = host.substr(begin, end - begin);
    if (label == "s3" || label.starts_with("s3-"))
      return {true, std::string(host.substr(0, dot == host.npos ? 0 : dot))};
    if (dot == host.npos) return {};
    end = dot;
  }
}

ApiError denied(const std::string& why) { return ApiError("AccessDenied", why, 403); }

ApiError expired(sim::Time end, sim::Time now) {
  return denied("Request has expired")
      .with("Expires", sim::iso_seconds(end))
      .with("ServerTime", sim::iso_seconds(now));
}

std::int64_t number(std::string_view text) {
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw denied("Invalid date (should be seconds since epoch): " + std::string(text));
  return value;
}

// "20191105T100000Z"
sim::Time signing_time(std::string_view text) {
  if (text.size() == 16) {
    const auto part = [&](std::size_t at, std::size_t n) {
      return std::string(text.substr(at, n));
    };
    const auto time =
        base::parse_iso_time(fmt::format("{}-{}-{}T{}:{}:{}Z", part(0, 4), part(4, 2), part(6, 2),
                                         part(9, 2), part(11, 2), part(13, 2)));
    if (time) return sim::Time(time->time_since_epoch());
  }
  throw ApiError("AuthorizationQueryParametersError",
                 "X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
}

// Checks a presigned request of Signature Version 4 (S3 API reference, "Authenticating Requests:
// Using Query Parameters") or 2.
void check_presigned(const api::Parameters& query, sim::Time now) {
  const auto find = [&](std::string_view name) { return api::find_parameter(query, name); };
  if (!find("X-Amz-Credential").empty()) {
    const auto seconds = number(find("X-Amz-Expires").empty() ? "604800" : find("X-Amz-Expires"));
    constexpr std::int64_t kWeek = 7 * 24 * 3600;
    if (seconds > kWeek)
      throw ApiError("AuthorizationQueryParametersError",
                     "X-Amz-Expires must be less than a week (in seconds); that is, the given "
                     "X-Amz-Expires must be less than 604800 seconds");
    const sim::Time end = signing_time(find("X-Amz-Date")) + std::chrono::seconds(seconds);
    if (now > end) throw expired(end, now).with("X-Amz-Expires", std::to_string(seconds));
    return;
  }
  if (find("AWSAccessKeyId").empty() || find("Signature").empty()) throw denied("Access Denied");
  constexpr std::int64_t kLast = 7258118400;  // the year 2200
  const auto expires = std::min(number(find("Expires")), kLast);
  const sim::Time end{std::chrono::seconds(expires)};
  if (std::chrono::floor<std::chrono::seconds>(now) > end) throw expired(end, now);
}

void each_part(const Incoming& request, const std::function<void(std::string_view)>& take) {
  if (!request.upload) return take(request.http.body);
  sim::objects::each_part(*request.upload, [&](std::span<const char> part) {
    take({part.data(), part.size()});
  });
}

// Collects a decoded body in the same place as the encoded one: in memory, or in the file of the
// upload.
class Decoded {
 public:
  explicit Decoded(const Incoming& request) : request_(request) {}
  void append(std::span<const char> part) {
    text_.append(part.data(), part.size());
    size_ += part.size();
    if (request_.upload && text_.size() >= kPart) keep();
  }
  void take_its_place() {
    if (request_.upload) {
      keep();
      *request_.upload = std::move(body_);
    } else {
      request_.http.body = std::move(text_);
    }
  }
  std::uint64_t size() const { return size_; }

 private:
  static constexpr std::size_t kPart = 256 * 1024;
  void keep() {
    body_.append(request_.backend.objects.bytes_file().keep(text_));
    text_.clear();
  }

  const Incoming& request_;
  std::string text_;
  sim::objects::Body body_;
  std::uint64_t size_ = 0;
};

// Removes aws-chunked from Content-Encoding: "aws-chunked,gzip" becomes "gzip".
void forget_chunking(api::Headers& headers) {
  for (auto& [name, value] : headers) {
    if (base::lower_case(name) != "content-encoding") continue;
    const auto at = value.find("aws-chunked");
    if (at == value.npos) continue;
    value.erase(at, std::string_view("aws-chunked").size());
    const auto begin = value.find_first_not_of(", ");
    value = begin == value.npos ? "" : value.substr(begin);
    value.erase(value.find_last_not_of(", ") + 1);
  }
  std::erase_if(headers, [](const auto& header) {
    return base::lower_case(header.first) == "content-encoding" && header.second.empty();
  });
}

void undo_chunks(const Incoming& request) {
  Decoded decoded(request);
  AwsChunked chunked([&](std::span<const char> part) { decoded.append(part); });
  bool good = true;
  each_part(request, [&](std::string_view part) { good = good && chunked.update(part); });
  const ApiError incomplete("IncompleteBody",
                            "The request body terminated unexpectedly or is not in aws-chunked "
                            "form");
  if (!good || !chunked.done()) throw incomplete;
  api::Headers& headers = request.http.headers;
  const std::string* const length = headers.find("x-amz-decoded-content-length");
  if (length != nullptr && *length != std::to_string(decoded.size())) throw incomplete;
  decoded.take_its_place();
  forget_chunking(headers);
  for (const auto& [name, value] : chunked.trailers())
    if (name.starts_with("x-amz-checksum-")) headers.add(name, value);
}

void check_hash(const Incoming& request, const std::string& hash) {
  constexpr std::size_t kDigits = 64;
  if (hash.size() != kDigits) return;  // UNSIGNED-PAYLOAD
  sim::objects::Digest digest(Algorithm::kSha256);
  each_part(request, [&](std::string_view part) { digest.update(part); });
  if (sim::objects::to_hex(digest.finish()) != base::lower_case(hash))
    throw ApiError("XAmzContentSHA256Mismatch",
                   "The provided 'x-amz-content-sha256' header does not match what was computed.");
}

// Moves headers from the query string of a presigned URL into the request (S3 API reference,
// "Authenticating Requests: Using Query Parameters").
void take_headers_of_query(api::HttpRequest& http, api::Parameters& query) {
  const auto is_header = [](const api::Parameter& one) {
    return base::lower_case(one.name).starts_with("x-amz-") && !api::is_of_signature(one.name);
  };
  if (std::ranges::none_of(query, is_header)) return;
  for (const api::Parameter& one : query)
    if (is_header(one)) http.headers.add(base::lower_case(one.name), one.value);
  std::erase_if(query, is_header);
  http.query.clear();
  for (const api::Parameter& one : query) {
    if (!http.query.empty()) http.query += '&';
    api::append_percent(http.query, one.name);
    http.query += '=';
    api::append_percent(http.query, one.value);
  }
}

// The account owns all buckets (S3 API reference, "Common request headers").
void check_expected_owner(const Incoming& request) {
  for (const char* name : {"x-amz-expected-bucket-owner", "x-amz-source-expected-bucket-owner"}) {
    const std::string* const owner = request.http.headers.find(name);
    if (owner != nullptr && *owner != request.backend.cloud.config().account_id)
      throw denied("Access Denied");
  }
}

std::string bucket_in(std::string_view path) {
  if (path.starts_with('/')) path.remove_prefix(1);
  return std::string(path.substr(0, path.find('/')));
}

// Refuses a request that is sent to another region than the bucket's. CreateBucket is exempt
// because it chooses the region. The endpoint of us-east-1 reports the location of every bucket.
void check_bucket_region(const Incoming& request, const api::Operation& operation) {
  if (request.region.empty() || operation.name == "CreateBucket") return;
  const std::string bucket = bucket_in(request.http.path);
  if (!request.backend.objects.buckets().contains(bucket)) return;
  const std::string region = region_of_bucket(request.backend, request.http);
  if (region == request.region) return;
  if (operation.name == "GetBucketLocation" && request.region == "us-east-1") return;
  throw ApiError("PermanentRedirect",
                 "The bucket you are attempting to access must be addressed using the specified "
                 "endpoint. Please send all future requests to this endpoint.",
                 301)
      .with("Endpoint",
            bucket + (region == "us-east-1" ? ".s3" : ".s3-" + region) + ".amazonaws.com")
      .with("Bucket", bucket);
}

// Checks checksums of bodies that are no objects. SDKs send them, too, although no member of the
// request takes them.
void check_checksums(const Incoming& request, const api::Operation& operation) {
  for (const auto& [name, value] : request.http.headers) {
    const std::string header = base::lower_case(name);
    const auto algorithm = algorithm_of_header(header);
    if (!algorithm || api::takes_header(operation, header)) continue;
    sim::objects::Digest digest(*algorithm);
    each_part(request, [&](std::string_view part) { digest.update(part); });
    if (base::base64_encode(digest.finish()) != value)
      throw ApiError("BadDigest", "The " + name_of(*algorithm) +
                                      " you specified did not match the calculated checksum.");
  }
}

}  // namespace

bool is_for_s3(const api::HttpRequest& request) {
  if (endpoint_of(host_of(request)).found) return true;
  api::Parameters query;
  api::parse_form(request.query, query);
  if (!api::find_parameter(query, "AWSAccessKeyId").empty() &&
      !api::find_parameter(query, "Expires").empty())
    return true;
  // All other services with this kind of request use only the path "/".
  return request.path.size() > 1 && request.headers.find("x-amz-target") == nullptr;
}

std::string bucket_in_host(const api::HttpRequest& request) {
  return endpoint_of(host_of(request)).bucket;
}

void prepare(const Incoming& request) {
  api::HttpRequest& http = request.http;
  if (const std::string bucket = bucket_in_host(http); !bucket.empty())
    http.path = "/" + bucket + http.path;
  const bool by_form = is_form_upload(http);
  if (by_form) make_put_object(request);
  api::Parameters query;
  api::parse_form(http.query, query);
  if (!by_form && !request.anyone && http.headers.find("authorization") == nullptr)
    check_presigned(query, request.backend.simulation.now());
  take_headers_of_query(http, query);
  check_expected_owner(request);
  if (http.method == "PUT" && api::find_parameter(query, "partNumber").empty() &&
      !api::find_parameter(query, "uploadId").empty())
    throw ApiError("InvalidRequest", "A part has both an uploadId and a partNumber.");
  const std::string* const hash = http.headers.find("x-amz-content-sha256");
  const std::string* const coding = http.headers.find("content-encoding");
  if ((hash != nullptr && hash->starts_with("STREAMING-")) ||
      (coding != nullptr && coding->find("aws-chunked") != coding->npos))
    undo_chunks(request);
  else if (hash != nullptr)
    check_hash(request, *hash);
  const api::Operation* const operation = api::route(api::s3::kService, http, query);
  if (operation == nullptr) return;
  check_bucket_region(request, *operation);
  check_checksums(request, *operation);
}

std::string region_of_bucket(const Backend& backend, const api::HttpRequest& request) {
  const auto& buckets = backend.objects.buckets();
  const auto found = buckets.find(bucket_in(request.path));
  const bool elsewhere = found != buckets.end() && !found->second.region.empty();
  return elsewhere ? found->second.region : backend.cloud.config().region;
}

}  // namespace fakes::s3
