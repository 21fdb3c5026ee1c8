#include "fakes/s3/bodies.h"

#include <utility>

#include "base/text/base64.h"
#include "base/text/lower_case.h"

namespace fakes::s3 {
namespace {

using sim::objects::Body;
using sim::objects::Checksums;
using sim::objects::Digest;

constexpr std::pair<std::string_view, Algorithm> kNames[] = {{"CRC32", Algorithm::kCrc32},
                                                             {"CRC32C", Algorithm::kCrc32c},
                                                             {"CRC64NVME", Algorithm::kCrc64Nvme},
                                                             {"SHA1", Algorithm::kSha1},
                                                             {"SHA256", Algorithm::kSha256}};

Body stored(Call& call, const std::optional<std::string>& text) {
  if (call.upload) return std::move(*call.upload);
  if (!text || text->empty()) return {};
  return Body(call.backend.objects.bytes_file().keep(*text));
}

// Computes the digests of a body: the MD5, which becomes the entity tag, and those in `algorithms`.
Received summed(Body body, const std::vector<Algorithm>& algorithms) {
  std::vector<Digest> digests;
  digests.emplace_back(Algorithm::kMd5);
  for (const Algorithm algorithm : algorithms) digests.emplace_back(algorithm);
  sim::objects::each_summed(body, [&](std::span<const char> part) {
    for (Digest& digest : digests) digest.update(part);
  });
  Received received{.body = std::move(body), .md5 = digests[0].finish(), .checksums = {}};
  for (std::size_t i = 0; i < algorithms.size(); ++i)
    received.checksums[algorithms[i]] = base::base64_encode(digests[i + 1].finish());
  return received;
}

void check_claims(const Claims& claims, const Received& received) {
  if (claims.md5) {
    constexpr std::size_t kBytes = 16;
    const auto claimed = base::base64_decode(*claims.md5);
    if (!claimed || claimed->size() != kBytes)
      throw ApiError("InvalidDigest", "The Content-MD5 you specified was invalid.");
    if (*claimed != received.md5)
      throw ApiError("BadDigest", "The Content-MD5 you specified did not match what we received.");
  }
  for (const auto& [algorithm, value] : claims.checksums)
    if (received.checksums.at(algorithm) != value)
      throw ApiError("BadDigest", "The " + name_of(algorithm) +
                                      " you specified did not match the calculated checksum.");
}

}  // namespace

Received receive(Call& call, const std::optional<std::string>& text, const Claims& claims) {
  std::vector<Algorithm> algorithms;
  for (const auto& [algorithm, value] : claims.checksums) algorithms.push_back(algorithm);
  if (claims.algorithm && !claims.checksums.contains(*claims.algorithm))
    algorithms.push_back(*claims.algorithm);
  Received received = summed(stored(call, text), algorithms);
  check_claims(claims, received);
  return received;
}

Received of_stored(const Body& body, std::optional<Algorithm> algorithm) {
  return summed(body, algorithm ? std::vector{*algorithm} : std::vector<Algorithm>{});
}

void send(Call& call, const Body& body, std::uint64_t first, std::uint64_t count) {
  call.download =
      LongBody{.size = count,
               .read = [body, first](std::uint64_t at,
                                     std::span<char> part) { return body.read(first + at, part); },
               .bytes_per_second = call.backend.latencies.s3_bytes_per_second};
}

std::optional<Algorithm> algorithm_named(const std::optional<std::string>& name) {
  if (!name) return {};
  for (const auto& [text, algorithm] : kNames)
    if (text == *name) return algorithm;
  throw ApiError("InvalidRequest", "Checksum algorithm provided is unsupported: " + *name);
}

std::string name_of(Algorithm algorithm) {
  for (const auto& [text, known] : kNames)
    if (known == algorithm) return std::string(text);
  return "MD5";
}

std::optional<Algorithm> algorithm_of_header(std::string_view header) {
  for (const auto& [text, algorithm] : kNames)
    if (header == "x-amz-checksum-" + base::lower_case(text)) return algorithm;
  return {};
}

}  // namespace fakes::s3
