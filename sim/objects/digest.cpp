#include "sim/objects/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <boost/crc.hpp>
#include <variant>

#include "sim/kernel/check.h"

namespace sim::objects {
namespace {

using Crc32 = boost::crc_32_type;
// Castagnoli's polynomial (RFC 3720, appendix B.4).
using Crc32c = boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true>;

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Hash = std::unique_ptr<EVP_MD_CTX, FreeContext>;

const EVP_MD* hash_function(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kMd5:
      return EVP_md5();
    case Algorithm::kSha1:
      return EVP_sha1();
    default:
      return EVP_sha256();
  }
}

std::string big_endian(std::uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
  return out;
}

}  // namespace

struct Digest::State {
  std::variant<Hash, Crc32, Crc32c> sum;
};

Digest::Digest(Algorithm algorithm) : state_(std::make_unique<State>()) {
  if (algorithm == Algorithm::kCrc32) {
    state_->sum = Crc32();
  } else if (algorithm == Algorithm::kCrc32c) {
    state_->sum = Crc32c();
  } else {
    Hash hash(EVP_MD_CTX_new());
    SIM_CHECK(hash && EVP_DigestInit_ex(hash.get(), hash_function(algorithm), nullptr) == 1);
    state_->sum = std::move(hash);
  }
}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::update(std::span<const char> part) {
  if (auto* const crc = std::get_if<Crc32>(&state_->sum)) {
    crc->process_bytes(part.data(), part.size());
  } else if (auto* const crc_c = std::get_if<Crc32c>(&state_->sum)) {
    crc_c->process_bytes(part.data(), part.size());
  } else {
    const Hash& hash = std::get<Hash>(state_->sum);
    SIM_CHECK(EVP_DigestUpdate(hash.get(), part.data(), part.size()) == 1);
  }
}

std::string Digest::finish() {
  if (const auto* const crc = std::get_if<Crc32>(&state_->sum)) return big_endian(crc->checksum());
  if (const auto* const crc_c = std::get_if<Crc32c>(&state_->sum))
    return big_endian(crc_c->checksum());
  std::string out(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  SIM_CHECK(EVP_DigestFinal_ex(std::get<Hash>(state_->sum).get(),
                               reinterpret_cast<unsigned char*>(out.data()), &size) == 1);
  out.resize(size);
  return out;
}

std::string digest_of(Algorithm algorithm, std::span<const char> bytes) {
  Digest digest(algorithm);
  digest.update(bytes);
  return digest.finish();
}

std::string to_hex(std::string_view bytes) {
  std::string out;
  for (const unsigned char c : bytes) fmt::format_to(std::back_inserter(out), "{:02x}", c);
  return out;
}

}  // namespace sim::objects
