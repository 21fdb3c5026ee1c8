#include "sim/vpc/key_material.h"

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <vector>

#include "base/text/base64.h"
#include "sim/kernel/check.h"

namespace sim::vpc {
namespace {

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Scratch = std::unique_ptr<BN_CTX, Freed<BN_CTX_free>>;
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO_free>>;

constexpr int kPrimeBits = 1024;
constexpr unsigned kExponent = 65537;
constexpr std::size_t kEdBytes = 32;
constexpr const char* kRsa = "ssh-rsa";
constexpr const char* kEd25519 = "ssh-ed25519";

Number number() { return Number(BN_new()); }

std::string random_bytes(Stream& numbers, std::size_t count) {
  std::string bytes;
  while (bytes.size() < count) {
    const std::uint64_t drawn = numbers.next();
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(drawn >> shift);
  }
  bytes.resize(count);
  return bytes;
}

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// A prime with its two highest bits set, so that a product of two has twice the bits, and with
// which the exponent has an inverse.
Number prime(Stream& numbers, BN_CTX* scratch) {
  Number candidate = number(), less_one = number();
  for (;;) {
    const std::string bytes = random_bytes(numbers, kPrimeBits / 8);
    BN_bin2bn(raw(bytes), static_cast<int>(bytes.size()), candidate.get());
    for (const int bit : {0, kPrimeBits - 1, kPrimeBits - 2}) BN_set_bit(candidate.get(), bit);
    BN_sub(less_one.get(), candidate.get(), BN_value_one());
    if (BN_mod_word(less_one.get(), kExponent) == 0) continue;
    if (BN_check_prime(candidate.get(), scratch, nullptr) == 1) return candidate;
  }
}

// ---- OpenSSH's binary form (RFC 4251, section 5)

std::string length_of(std::size_t size) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(size >> shift);
  return out;
}
std::string field(std::string_view bytes) { return length_of(bytes.size()) + std::string(bytes); }
// A positive number: a leading zero byte where the first bit is set.
std::string mpint(const BIGNUM* value) {
  std::string bytes(static_cast<std::size_t>(BN_num_bytes(value)), '\0');
  BN_bn2bin(value, reinterpret_cast<unsigned char*>(bytes.data()));
  return field((!bytes.empty() && (bytes[0] & 0x80) != 0 ? std::string(1, '\0') : "") + bytes);
}
// Removes the next field from `rest`; empty if there is none.
std::optional<std::string> take_field(std::string_view& rest) {
  if (rest.size() < 4) return {};
  std::size_t size = 0;
  for (int i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(rest[i]);
  if (rest.size() - 4 < size) return {};
  const std::string out(rest.substr(4, size));
  rest.remove_prefix(4 + size);
  return out;
}

std::string open_ssh(const char* kind, const std::string& blob) {
  return fmt::format("{} {}", kind, base::base64_encode(blob));
}

// ---- fingerprints

std::string digest(const EVP_MD* algorithm, std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
  unsigned size = 0;
  SIM_CHECK(EVP_Digest(bytes.data(), bytes.size(), out.data(), &size, algorithm, nullptr) == 1);
  return {reinterpret_cast<const char*>(out.data()), size};
}
std::string with_colons(std::string_view bytes) {
  std::string out;
  for (const char byte : bytes)
    out += fmt::format("{}{:02x}", out.empty() ? "" : ":", static_cast<unsigned char>(byte));
  return out;
}
std::string contents(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return {data, static_cast<std::size_t>(size)};
}
std::string ed25519_fingerprint(const std::string& blob) {
  return base::base64_encode(digest(EVP_sha256(), blob));
}

Key rsa_key(const std::vector<std::pair<const char*, const BIGNUM*>>& values, int what) {
  const Builder builder(OSSL_PARAM_BLD_new());
  for (const auto& [name, value] : values) OSSL_PARAM_BLD_push_BN(builder.get(), name, value);
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder.get()));
  const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr));
  EVP_PKEY* key = nullptr;
  if (EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, what, parameters.get()) != 1)
    return nullptr;
  return Key(key);
}

std::string rsa_blob(const BIGNUM* modulus, const BIGNUM* exponent) {
  return field(kRsa) + mpint(exponent) + mpint(modulus);
}

// ssh-keygen's own format of private keys (OpenSSH's PROTOCOL.key), without a passphrase.
std::string open_ssh_private_key(const std::string& seed, const std::string& public_bytes,
                                 const std::string& blob, const std::string& check) {
  std::string secret = check + check + field(kEd25519) + field(public_bytes) +
                       field(seed + public_bytes) + field("");
  for (char padding = 1; secret.size() % 8 != 0; ++padding) secret += padding;
  const std::string all = std::string("openssh-key-v1\0", 15) + field("none") + field("none") +
                          field("") + length_of(1) + field(blob) + field(secret);
  const std::string encoded = base::base64_encode(all);
  std::string out = "-----BEGIN OPENSSH PRIVATE KEY-----\n";
  constexpr std::size_t kLine = 70;
  for (std::size_t at = 0; at < encoded.size(); at += kLine)
    out += encoded.substr(at, kLine) + "\n";
  return out + "-----END OPENSSH PRIVATE KEY-----\n";
}

// MD5 of the public key in DER, as of every RSA key that was imported.
std::optional<std::string> imported_rsa_fingerprint(std::string_view rest) {
  const auto exponent_bytes = take_field(rest), modulus_bytes = take_field(rest);
  if (!exponent_bytes || !modulus_bytes || !rest.empty() || modulus_bytes->empty() ||
      exponent_bytes->empty())
    return {};
  const Number e(
      BN_bin2bn(raw(*exponent_bytes), static_cast<int>(exponent_bytes->size()), nullptr));
  const Number n(BN_bin2bn(raw(*modulus_bytes), static_cast<int>(modulus_bytes->size()), nullptr));
  const Key key = rsa_key({{OSSL_PKEY_PARAM_RSA_N, n.get()}, {OSSL_PKEY_PARAM_RSA_E, e.get()}},
                          EVP_PKEY_PUBLIC_KEY);
  const Memory der(BIO_new(BIO_s_mem()));
  if (!key || i2d_PUBKEY_bio(der.get(), key.get()) != 1) return {};
  return with_colons(digest(EVP_md5(), contents(der.get())));
}

}  // namespace

KeyMaterial make_rsa_key(Stream numbers) {
  const Scratch scratch(BN_CTX_new());
  Number p = prime(numbers, scratch.get()), q = prime(numbers, scratch.get());
  if (BN_cmp(p.get(), q.get()) < 0) std::swap(p, q);
  const Number n = number(), e = number(), d = number(), dp = number(), dq = number();
  const Number p1 = number(), q1 = number(), phi = number(), inverse = number();
  BN_set_word(e.get(), kExponent);
  BN_mul(n.get(), p.get(), q.get(), scratch.get());
  BN_sub(p1.get(), p.get(), BN_value_one());
  BN_sub(q1.get(), q.get(), BN_value_one());
  BN_mul(phi.get(), p1.get(), q1.get(), scratch.get());
  SIM_CHECK(BN_mod_inverse(d.get(), e.get(), phi.get(), scratch.get()));
  BN_mod(dp.get(), d.get(), p1.get(), scratch.get());
  BN_mod(dq.get(), d.get(), q1.get(), scratch.get());
  SIM_CHECK(BN_mod_inverse(inverse.get(), q.get(), p.get(), scratch.get()));
  const Key key = rsa_key({{OSSL_PKEY_PARAM_RSA_N, n.get()},
                           {OSSL_PKEY_PARAM_RSA_E, e.get()},
                           {OSSL_PKEY_PARAM_RSA_D, d.get()},
                           {OSSL_PKEY_PARAM_RSA_FACTOR1, p.get()},
                           {OSSL_PKEY_PARAM_RSA_FACTOR2, q.get()},
                           {OSSL_PKEY_PARAM_RSA_EXPONENT1, dp.get()},
                           {OSSL_PKEY_PARAM_RSA_EXPONENT2, dq.get()},
                           {OSSL_PKEY_PARAM_RSA_COEFFICIENT1, inverse.get()}},
                          EVP_PKEY_KEYPAIR);
  SIM_CHECK(key);
  const Memory pem(BIO_new(BIO_s_mem())), der(BIO_new(BIO_s_mem()));
  SIM_CHECK(PEM_write_bio_PrivateKey_traditional(pem.get(), key.get(), nullptr, nullptr, 0, nullptr,
                                                 nullptr) == 1);
  SIM_CHECK(i2d_PKCS8PrivateKey_bio(der.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) ==
            1);
  return {.private_key = contents(pem.get()),
          .public_key = open_ssh(kRsa, rsa_blob(n.get(), e.get())),
          .fingerprint = with_colons(digest(EVP_sha1(), contents(der.get())))};
}

KeyMaterial make_ed25519_key(Stream numbers) {
  const std::string seed = random_bytes(numbers, kEdBytes), check = random_bytes(numbers, 4);
  const Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, raw(seed), seed.size()));
  SIM_CHECK(key);
  std::string public_bytes(kEdBytes, '\0');
  std::size_t size = kEdBytes;
  SIM_CHECK(EVP_PKEY_get_raw_public_key(
                key.get(), reinterpret_cast<unsigned char*>(public_bytes.data()), &size) == 1);
  const std::string blob = field(kEd25519) + field(public_bytes);
  return {.private_key = open_ssh_private_key(seed, public_bytes, blob, check),
          .public_key = open_ssh(kEd25519, blob),
          .fingerprint = ed25519_fingerprint(blob)};
}

std::optional<ImportedKey> read_public_key(std::string_view text) {
  const auto space = text.find(' ');
  if (space == text.npos) return {};
  const std::string kind(text.substr(0, space));
  text.remove_prefix(space + 1);
  const auto blob = base::base64_decode(text.substr(0, text.find_first_of(" \t\r\n")));
  if (!blob) return {};
  std::string_view rest = *blob;
  if (take_field(rest) != kind) return {};
  if (kind == kEd25519) {
    const auto bytes = take_field(rest);
    if (!bytes || bytes->size() != kEdBytes || !rest.empty()) return {};
    return ImportedKey{"ed25519", open_ssh(kEd25519, *blob), ed25519_fingerprint(*blob)};
  }
  if (kind != kRsa) return {};
  const auto fingerprint = imported_rsa_fingerprint(rest);
  if (!fingerprint) return {};
  return ImportedKey{"rsa", open_ssh(kRsa, *blob), *fingerprint};
}

}  // namespace sim::vpc
