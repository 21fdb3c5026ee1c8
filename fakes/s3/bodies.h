// Moves the bodies of requests and responses between the wire and the object store, and checks the
// digests that clients send with them.
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

// The digests that a client states for the body of its request.
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
// Takes the request's body and checks it. Throws ApiError BadDigest if a digest in `claims` does
// not match, and InvalidDigest if a digest is malformed.
Received receive(Call& call, const std::optional<std::string>& text, const Claims& claims);
// The same for bytes that are already stored.
Received of_stored(const sim::objects::Body& body, std::optional<Algorithm> algorithm);

// Makes `count` bytes of `body`, beginning with byte `first`, the response's body.
void send(Call& call, const sim::objects::Body& body, std::uint64_t first, std::uint64_t count);

// Converts a name such as "SHA256". Throws ApiError InvalidRequest for an unknown name.
std::optional<Algorithm> algorithm_named(const std::optional<std::string>& name);
std::string name_of(Algorithm algorithm);
// Converts a header's name in lower case, such as "x-amz-checksum-sha256". Returns empty for other
// headers and for unknown algorithms.
std::optional<Algorithm> algorithm_of_header(std::string_view header);

// Sets the checksum members of a response, or of any other struct with these members.
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

// The simulated time in the API's type.
inline api::Timestamp timestamp(sim::Time t) { return api::Timestamp(t.time_since_epoch()); }

inline std::string quoted(const std::string& etag) { return '"' + etag + '"'; }

}  // namespace fakes::s3
