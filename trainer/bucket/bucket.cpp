#include "trainer/bucket/bucket.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>
#include <sstream>

#include "base/text/base64.h"
#include "base/text/percent.h"
#include "client/retry.h"

namespace spottrain {
namespace {

using client::HttpRequest;
using client::HttpResponse;
using Headers = std::vector<std::pair<std::string, std::string>>;

// The same number as spotrun's. The pauses take some four minutes in total.
constexpr int kAttempts = 30;
constexpr std::uint64_t kMostReserved = 1 << 30;  // limit, whatever size an answer states
constexpr int kPartialContent = 206, kNoContent = 204, kNotFound = 404, kChanged = 412,
              kRangeNotSatisfiable = 416;

// The CRC-32 in the form of S3's header x-amz-checksum-crc32: big-endian, in base64.
std::string crc32_of(std::string_view bytes) {
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  std::string big_endian;
  for (const int shift : {24, 16, 8, 0}) big_endian += static_cast<char>(crc >> shift & 0xff);
  return base::base64_encode(big_endian);
}

std::string percent_encoded(std::string_view text, std::string_view safe = "") {
  std::string out;
  base::append_percent(out, text, safe);
  return out;
}

std::string header_of(const HttpResponse& response, std::string_view name) {
  for (const auto& [key, value] : response.headers)
    if (key == name) return value;
  return "";
}

// Parses the response's XML. Empty if the response has an object's bytes, or an incomplete
// document.
pugi::xml_document document_of(const HttpResponse& response) {
  pugi::xml_document document;
  if (response.status == kPartialContent) return document;
  if (!document.load_buffer(response.body.data(), response.body.size())) document.reset();
  return document;
}

// The size of the whole object, from a header such as "bytes 0-8388607/190000000".
std::optional<std::uint64_t> size_in(const HttpResponse& response) {
  const std::string range = header_of(response, "content-range");
  const char* end = range.data() + range.size();
  std::uint64_t size = 0;
  const auto [stop, error] = std::from_chars(range.data() + range.rfind('/') + 1, end, size);
  if (error != std::errc() || stop != end) return {};
  return size;
}

}  // namespace

std::string region_of(const client::Environment& environment, client::MetadataClient& imds) {
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"})
    if (const std::string set = environment(name); !set.empty()) return set;
  std::string why = "AWS_EC2_METADATA_DISABLED forbids to ask for the instance's";
  try {
    if (environment("AWS_EC2_METADATA_DISABLED") != "true")
      return imds.require("meta-data/placement/region");
  } catch (const client::MetadataError& error) {
    why = error.what();
  }
  throw BucketError("no region: AWS_REGION and AWS_DEFAULT_REGION are not set, and " + why);
}

BucketAddress address_of(const std::string& bucket, const std::string& region,
                         const client::Environment& environment) {
  for (const char* name : {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}) {
    std::string endpoint = environment(name);
    if (endpoint.empty()) continue;
    while (endpoint.ends_with('/')) endpoint.pop_back();
    return {bucket, region, endpoint + '/' + bucket};
  }
  const std::string host =
      fmt::format("s3.{}.amazonaws.com{}", region, region.starts_with("cn-") ? ".cn" : "");
  if (bucket.find('.') != bucket.npos) return {bucket, region, "https://" + host + '/' + bucket};
  return {bucket, region, "https://" + bucket + '.' + host};
}

struct Bucket::Request {
  std::string method;
  std::string key;    // empty: the bucket itself
  std::string query;  // percent encoded, sorted by name, each name with a '='
  Headers headers = {};
  std::string body = {};
  std::vector<int> taken = {};  // statuses that are answers, in addition to 200
  // The expected content of an answer with status 200: a document with this root, or an ETag. Other
  // content is not from S3, or was cut off.
  std::string root = {};
  bool etag = false;
};

Bucket::Bucket(BucketAddress address, client::Http& http, client::Clock& clock,
               client::Credentials& credentials, client::RandomBits random)
    : address_(std::move(address)),
      http_(http),
      clock_(clock),
      credentials_(credentials),
      random_(std::move(random)) {}

// Signs the header with the body's checksum instead of the body, like AWS's SDKs. It needs the
// header Host exactly as it is sent, with a port, which libcurl would not sign.
client::HttpRequest Bucket::signed_request(const Request& request) {
  const client::AwsCredentials credentials = credentials_.get();
  const std::size_t host = address_.url.find("://") + 3;
  HttpRequest http{.method = request.method,
                   .url = address_.url + '/' + percent_encoded(request.key, "/"),
                   .headers = request.headers,
                   .body = request.body,
                   .signing = client::AwsSigning{address_.region, "s3", credentials}};
  if (!request.query.empty()) http.url += '?' + request.query;
  http.headers.emplace_back("host", address_.url.substr(host, address_.url.find('/', host) - host));
  http.headers.emplace_back("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
  if (request.method != "GET")
    http.headers.emplace_back("content-type", "application/octet-stream");
  if (!credentials.session_token.empty())
    http.headers.emplace_back("x-amz-security-token", credentials.session_token);
  return http;
}

client::HttpResponse Bucket::ask(const Request& request) {
  for (int retry = 0;; ++retry) {
    std::string code, why;
    int status = 0;
    try {
      HttpResponse response = http_.send(signed_request(request));
      status = response.status;
      const pugi::xml_document document = document_of(response);
      const pugi::xml_node error = document.child("Error");
      // S3 may begin the answer to CompleteMultipartUpload with 200 before it finds an error.
      const bool complete = !error &&
                            (request.root.empty() || document.child(request.root.c_str())) &&
                            (!request.etag || !header_of(response, "etag").empty());
      if ((status == 200 && complete) || std::ranges::count(request.taken, status)) return response;
      if (status == 200) status = 500;
      code = error.child_value("Code");
      why = status == 500 && !error ? fmt::format("status {} without {}", response.status,
                                                  request.etag ? "ETag" : request.root)
                                    : fmt::format("status {} {}: {}", response.status, code,
                                                  error.child_value("Message"));
    } catch (const client::TransportError& error) {
      why = error.what();
    } catch (const client::NoCredentials& error) {
      throw BucketError(error.what());
    }
    if ((status != 0 && !client::is_transient(status, code)) || retry + 1 == kAttempts)
      throw BucketError(
          fmt::format("{} s3://{}/{}: {}", request.method, address_.bucket, request.key, why));
    if (client::has_expired(code)) credentials_.forget();
    clock_.sleep(client::backoff(retry, random_));
  }
}

std::vector<std::string> Bucket::keys(const std::string& prefix) {
  std::vector<std::string> keys;
  std::string after;
  for (;;) {
    const HttpResponse response =
        ask({.method = "GET",
             .key = "",
             .query = after + "list-type=2&prefix=" + percent_encoded(prefix),
             .root = "ListBucketResult"});
    const pugi::xml_document document = document_of(response);
    const pugi::xml_node list = document.child("ListBucketResult");
    for (const pugi::xml_node object : list.children("Contents"))
      keys.emplace_back(object.child_value("Key"));
    if (!list.child("IsTruncated").text().as_bool()) return keys;
    const std::string token = percent_encoded(list.child_value("NextContinuationToken"));
    const std::string next = "continuation-token=" + token + '&';
    if (token.empty() || next == after)
      throw BucketError("GET s3://" + address_.bucket + ": found a list that does not go on");
    after = next;
  }
}

std::optional<Bucket::Object> Bucket::get(const std::string& key, std::uint64_t most_bytes) {
  Object object;
  std::string etag;
  for (std::uint64_t at = 0; at == 0 || at < object.size; at = object.bytes.size()) {
    Headers headers{{"range", fmt::format("bytes={}-{}", at, at + kPartBytes - 1)}};
    if (!etag.empty()) headers.emplace_back("if-match", etag);
    const HttpResponse response =
        ask({.method = "GET",
             .key = key,
             .query = "",
             .headers = std::move(headers),
             .taken = {kPartialContent, kNotFound, kChanged, kRangeNotSatisfiable}});
    if (response.status == kNotFound && at == 0) return {};
    if (response.status == kRangeNotSatisfiable && at == 0) return object;  // an empty object
    if (response.status == kPartialContent && at == 0) {
      object.size = size_in(response).value_or(0);
      etag = header_of(response, "etag");
      if (object.size > most_bytes) return object;
      object.bytes.reserve(std::min<std::uint64_t>(object.size, kMostReserved));
    }
    if (response.status == kChanged || (response.status != kPartialContent && at > 0))
      throw ObjectChanged(
          fmt::format("s3://{}/{} was replaced while it was read", address_.bucket, key));
    if (response.status != kPartialContent || response.body.empty() ||
        response.body.size() > object.size - at)
      throw BucketError(fmt::format("GET s3://{}/{}: status {}, expected a range of its bytes",
                                    address_.bucket, key, response.status));
    object.bytes += response.body;
  }
  return object;
}

void Bucket::put(const std::string& key, std::string bytes) {
  const std::string crc32 = crc32_of(bytes);
  ask({.method = "PUT",
       .key = key,
       .query = "",
       .headers = {{"x-amz-checksum-crc32", crc32}},
       .body = std::move(bytes),
       .etag = true});
}

void Bucket::remove(const std::string& key) {
  ask({.method = "DELETE", .key = key, .query = "", .taken = {kNoContent}});
}

std::string Bucket::begin_upload(const std::string& key) {
  const HttpResponse response = ask({.method = "POST",
                                     .key = key,
                                     .query = "uploads=",
                                     .headers = {{"x-amz-checksum-algorithm", "CRC32"}},
                                     .root = "InitiateMultipartUploadResult"});
  const std::string id =
      document_of(response).child("InitiateMultipartUploadResult").child_value("UploadId");
  if (id.empty())
    throw BucketError(
        fmt::format("POST s3://{}/{}: found no UploadId in the answer", address_.bucket, key));
  return id;
}

Bucket::Part Bucket::put_part(const std::string& key, const std::string& upload, int number,
                              std::string bytes) {
  Part part{.etag = {}, .crc32 = crc32_of(bytes)};
  const HttpResponse response =
      ask({.method = "PUT",
           .key = key,
           .query = fmt::format("partNumber={}&uploadId={}", number, percent_encoded(upload)),
           .headers = {{"x-amz-checksum-crc32", part.crc32}},
           .body = std::move(bytes),
           .etag = true});
  part.etag = header_of(response, "etag");
  return part;
}

void Bucket::complete_upload(const std::string& key, const std::string& upload,
                             const std::vector<Part>& parts) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("CompleteMultipartUpload");
  root.append_attribute("xmlns") = "http://s3.amazonaws.com/doc/2006-03-01/";
  int number = 0;
  for (const Part& part : parts) {
    pugi::xml_node row = root.append_child("Part");
    row.append_child("ChecksumCRC32").text() = part.crc32.c_str();
    row.append_child("ETag").text() = part.etag.c_str();
    row.append_child("PartNumber").text() = ++number;
  }
  std::ostringstream text;
  document.save(text, "", pugi::format_raw | pugi::format_no_declaration);
  ask({.method = "POST",
       .key = key,
       .query = "uploadId=" + percent_encoded(upload),
       .body = text.str(),
       .root = "CompleteMultipartUploadResult"});
}

void Bucket::abort_upload(const std::string& key, const std::string& upload) {
  ask({.method = "DELETE",
       .key = key,
       .query = "uploadId=" + percent_encoded(upload),
       .taken = {kNoContent}});
}

}  // namespace spottrain
