// The bodies of requests and responses between the wire and the store.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/s3.h"
#include "fakes/action.h"
#include "sim/objects/store.h"

namespace fakes::s3 {

namespace aws = api::s3;
using sim::objects::Algorithm;
using sim::objects::ApiError;

// A client's statements about the body of its request.
struct Claims {
  std::optional<std::string> md5;      // base64
  sim::objects::Checksums checksums;   // as it sends them
  std::optional<Algorithm> algorithm;  // whose checksum is kept in any case
};
template <class Request>
Claims claims_of(const Request& request);
template <class Request>
sim::objects::Checksums checksums_of(const Request& request);

struct Received {
  sim::objects::Body body;
  std::string md5;  // bytes
  sim::objects::Checksums checksums;
};
// Takes the request's body; throws ApiError BadDigest where it is not what is claimed,
// InvalidDigest for a claim that is none.
Received receive(Call& call, const std::optional<std::string>& text, const Claims& claims);
// The same of bytes that are stored already.
Received of_stored(const sim::objects::Body& body, std::optional<Algorithm> algorithm);

// Makes these bytes the response's body.
void send(Call& call, const sim::objects::Body& body, std::uint64_t first, std::uint64_t count);

// "SHA256"; throws ApiError InvalidRequest.
std::optional<Algorithm> algorithm_named(const std::optional<std::string>& name);
std::string name_of(Algorithm algorithm);
// "x-amz-checksum-sha256", in lower case; empty for a header that is no checksum known here.
std::optional<Algorithm> algorithm_of_header(std::string_view header);

// The members of any struct that has them.
template <class Struct>
void show_checksums(Struct& out, const sim::objects::Checksums& checksums) {
  const auto value = [&](Algorithm algorithm) -> std::optional<std::string> {
    const auto found = checksums.find(algorithm);
    return found == checksums.end() ? std::nullopt : std::optional(found->second);
  };
  out.checksum_crc32 = value(Algorithm::kCrc32);
  out.checksum_crc32_c = value(Algorithm::kCrc32c);
  out.checksum_crc64_nvme = value(Algorithm::kCrc64Nvme);
  out.checksum_sha1 = value(Algorithm::kSha1);
  out.checksum_sha256 = value(Algorithm::kSha256);
}

template <class Request>
sim::objects::Checksums checksums_of(const Request& request) {
  sim::objects::Checksums checksums;
  const auto add = [&](Algorithm algorithm, const std::optional<std::string>& value) {
    if (value) checksums[algorithm] = *value;
  };
  add(Algorithm::kCrc32, request.checksum_crc32);
  add(Algorithm::kCrc32c, request.checksum_crc32_c);
  add(Algorithm::kCrc64Nvme, request.checksum_crc64_nvme);
  add(Algorithm::kSha1, request.checksum_sha1);
  add(Algorithm::kSha256, request.checksum_sha256);
  return checksums;
}

template <class Request>
Claims claims_of(const Request& request) {
  return {.md5 = request.content_md5,
          .checksums = checksums_of(request),
          .algorithm = algorithm_named(request.checksum_algorithm)};
}

// The simulation's time as the API has it.
inline api::Timestamp timestamp(sim::Time t) { return api::Timestamp(t.time_since_epoch()); }

inline std::string quoted(const std::string& etag) { return '"' + etag + '"'; }

}  // namespace fakes::s3
