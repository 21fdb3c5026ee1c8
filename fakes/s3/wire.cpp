#include "fakes/s3/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "api/form.h"
#include "api/percent.h"
#include "base/iso_time.h"
#include "base/lower_case.h"
#include "fakes/s3/aws_chunked.h"
#include "fakes/s3/conditions.h"
#include "sim/objects/digest.h"

namespace fakes::s3 {
namespace {

using sim::cloud::ApiError;
using sim::objects::Algorithm;

std::string host_of(const api::HttpRequest& request) {
  const std::string* const host = request.headers.find("host");
  return host == nullptr ? "" : base::lower_case(host->substr(0, host->find(':')));
}

// "s3", "s3-us-west-2", "s3.us-west-2", "s3.dualstack.us-west-2" and what stands before them. On
// this machine all of a name may be a bucket, if the request says that it is for S3.
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

// S3 API reference, "Authenticating Requests: Using Query Parameters"; and its Signature Version 2.
void check_presigned(const api::Parameters& query, sim::Time now) {
  const auto find = [&](std::string_view name) { return api::find_parameter(query, name); };
  if (!find("X-Amz-Credential").empty()) {
    const auto seconds = number(find("X-Amz-Expires").empty() ? "604800" : find("X-Amz-Expires"));
    constexpr std::int64_t kWeek = 7 * 24 * 3600;
    if (seconds > kWeek)
      throw ApiError("AuthorizationQueryParametersError",
                     "X-Amz-Expires must be less than a week (in seconds); that is, the given "
                     "X-Amz-Expires must be less than 604800 seconds");
    if (now > signing_time(find("X-Amz-Date")) + std::chrono::seconds(seconds))
      throw denied("Request has expired");
    return;
  }
  if (find("AWSAccessKeyId").empty() || find("Signature").empty()) throw denied("Access Denied");
  constexpr std::int64_t kLast = 253402300799;  // of the year 9999
  const auto expires = std::min(number(find("Expires")), kLast);
  if (std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count() > expires)
    throw denied("Request has expired");
}

void each_part(const Incoming& request, const std::function<void(std::string_view)>& take) {
  if (!request.upload) return take(request.http.body);
  sim::objects::each_part(*request.upload, [&](std::span<const char> part) {
    take({part.data(), part.size()});
  });
}

// A body that is decoded is where the coded one was: in memory, or in the file.
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

// "aws-chunked,gzip" → "gzip"
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

ApiError not_served(std::string_view what, const api::HttpRequest& request) {
  return ApiError(
      "NotImplemented",
      fmt::format("?{} is not part of this simulated AWS, for {}", what, request.method), 501);
}

// "/bucket/a%20key" → "a key"; none: the path is of a bucket.
std::optional<std::string> key_of(const std::string& path) {
  const auto slash = path.find('/', 1);
  if (slash == path.npos || slash + 1 == path.size()) return {};
  return api::percent_decode(path.substr(slash + 1), false);
}

// What stands in a query string for an action that is not served here: without a look at it the
// request would be another's, a list or an object.
void refuse_unserved(const api::HttpRequest& request, const api::Parameters& query) {
  static constexpr std::string_view kUnserved[] = {
      "accelerate",     "analytics",  "cors",         "encryption",        "intelligent-tiering",
      "inventory",      "legal-hold", "logging",      "metrics",           "notification",
      "object-lock",    "policy",     "policyStatus", "publicAccessBlock", "replication",
      "requestPayment", "restore",    "retention",    "ownershipControls", "select",
      "torrent",        "versions",   "website"};
  const auto has = [&](std::string_view name) {
    return std::ranges::find(query, name, &api::Parameter::name) != query.end();
  };
  const bool puts = request.method == "PUT", of_object = key_of(request.path).has_value();
  for (const std::string_view name : kUnserved)
    if (has(name)) throw not_served(name, request);
  if (puts && of_object && has("acl")) throw not_served("acl", request);
  if (puts && has("versioning")) throw not_served("versioning", request);
  if (puts && of_object && has("uploadId") != has("partNumber"))
    throw ApiError("InvalidRequest", "A part has both an uploadId and a partNumber.");
}

// S3 User Guide, "How to prevent object overwrites with conditional writes"; older models have no
// such members.
void check_conditional_write(const Incoming& request) {
  const api::HttpRequest& http = request.http;
  const std::string *const none = http.headers.find("if-none-match"), *const match =
                                                                          http.headers.find(
                                                                              "if-match");
  const bool writes = http.method == "PUT" || http.method == "POST";
  if (!writes || (none == nullptr && match == nullptr)) return;
  const auto key = key_of(http.path);
  const auto& buckets = request.backend.objects.buckets();
  const auto bucket = buckets.find(http.path.substr(1, http.path.find('/', 1) - 1));
  if (!key || bucket == buckets.end()) return;
  const auto object = bucket->second.objects.find(*key);
  const bool there = object != bucket->second.objects.end();
  if (match != nullptr && !there)
    throw ApiError("NoSuchKey", "The specified key does not exist.", 404);
  if (there)
    check({match ? std::optional(*match) : std::nullopt,
           none ? std::optional(*none) : std::nullopt,
           {},
           {}},
          object->second, false);
}

}  // namespace

bool is_for_s3(const api::HttpRequest& request) {
  if (endpoint_of(host_of(request)).found) return true;
  api::Parameters query;
  api::parse_form(request.query, query);
  return !api::find_parameter(query, "AWSAccessKeyId").empty() &&
         !api::find_parameter(query, "Expires").empty();
}

void prepare(const Incoming& request) {
  api::HttpRequest& http = request.http;
  if (const std::string bucket = endpoint_of(host_of(http)).bucket; !bucket.empty())
    http.path = "/" + bucket + http.path;
  api::Parameters query;
  api::parse_form(http.query, query);
  if (http.headers.find("authorization") == nullptr)
    check_presigned(query, request.backend.simulation.now());
  refuse_unserved(http, query);
  check_conditional_write(request);
  const std::string* const hash = http.headers.find("x-amz-content-sha256");
  const std::string* const coding = http.headers.find("content-encoding");
  if ((hash != nullptr && hash->starts_with("STREAMING-")) ||
      (coding != nullptr && coding->find("aws-chunked") != coding->npos))
    return undo_chunks(request);
  if (hash != nullptr) check_hash(request, *hash);
}

}  // namespace fakes::s3
