#include "sim/objects/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <boost/crc.hpp>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "sim/kernel/check.h"

namespace sim::objects {
namespace {

using Crc32 = boost::crc_32_type;
// Castagnoli's polynomial (RFC 3720, appendix B.4).
using Crc32c = boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true>;
// NVM Express NVM Command Set Specification, "64b CRC Definition".
constexpr std::uint64_t kNvme = 0xAD93D23594C93659, kOnes = ~0ull;
using Crc64Nvme = boost::crc_optimal<64, kNvme, kOnes, kOnes, true, true>;

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

std::string big_endian(std::uint64_t value, int bits) {
  std::string out;
  for (int shift = bits - 8; shift >= 0; shift -= 8)
    out += static_cast<char>(value >> shift & 0xff);
  return out;
}

std::string finished(const Hash& hash) {
  std::string out(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  SIM_CHECK(EVP_DigestFinal_ex(hash.get(), reinterpret_cast<unsigned char*>(out.data()), &size) ==
            1);
  out.resize(size);
  return out;
}

}  // namespace

struct Digest::State {
  std::variant<Hash, Crc32, Crc32c, Crc64Nvme> sum;
};

Digest::Digest(Algorithm algorithm) : state_(std::make_unique<State>()) {
  if (algorithm == Algorithm::kCrc32) {
    state_->sum = Crc32();
  } else if (algorithm == Algorithm::kCrc32c) {
    state_->sum = Crc32c();
  } else if (algorithm == Algorithm::kCrc64Nvme) {
    state_->sum = Crc64Nvme();
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
  std::visit(
      [&]<class Sum>(Sum& sum) {
        if constexpr (std::is_same_v<Sum, Hash>)
          SIM_CHECK(EVP_DigestUpdate(sum.get(), part.data(), part.size()) == 1);
        else
          sum.process_bytes(part.data(), part.size());
      },
      state_->sum);
}

std::string Digest::finish() {
  return std::visit(
      []<class Sum>(const Sum& sum) {
        if constexpr (std::is_same_v<Sum, Hash>)
          return finished(sum);
        else
          return big_endian(sum.checksum(), Sum::bit_count);
      },
      state_->sum);
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
