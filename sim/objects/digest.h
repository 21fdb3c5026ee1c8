// Digests of bodies: MD5 and the checksums that clients may send (S3 User Guide, "Checking object
// integrity").
#pragma once

#include <memory>
#include <span>
#include <string>

namespace sim::objects {

enum class Algorithm { kMd5, kSha1, kSha256, kCrc32, kCrc32c, kCrc64Nvme };

// The digest of bytes that come in parts.
class Digest {
 public:
  explicit Digest(Algorithm algorithm);
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  void update(std::span<const char> part);
  // The digest's bytes, highest first. Call it once.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string digest_of(Algorithm algorithm, std::span<const char> bytes);
std::string to_hex(std::string_view bytes);

}  // namespace sim::objects
