#include "fakes/authorisation/signature.h"

#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <vector>

#include "base/text/lower_case.h"
#include "base/text/percent.h"
#include "base/time/iso_time.h"
#include "sim/kernel/check.h"

namespace fakes::authorisation {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::size_t kSha256Bytes = 32;

std::string hex(const unsigned char* bytes, std::size_t count) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Makes the context of an HMAC with SHA-256 and this key. Looking up the algorithm takes several
// times as long as an HMAC, so it happens once.
MacContext mac_context(std::string_view key) {
  static EVP_MAC* const kMac = EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr);
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_end()};
  MacContext context(EVP_MAC_CTX_new(kMac));
  SIM_CHECK(EVP_MAC_init(context.get(), bytes_of(key), key.size(), parameters) == 1);
  return context;
}

// The HMAC of a text with the context's key. The context can be used again.
std::string mac_of(const MacContext& context, std::string_view text) {
  std::string mac(kSha256Bytes, '\0');
  std::size_t size = 0;
  SIM_CHECK(EVP_MAC_init(context.get(), nullptr, 0, nullptr) == 1 &&
            EVP_MAC_update(context.get(), bytes_of(text), text.size()) == 1 &&
            EVP_MAC_final(context.get(), reinterpret_cast<unsigned char*>(mac.data()), &size,
                          mac.size()) == 1);
  return mac;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Decodes percent escapes. Malformed escapes stay unchanged.
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                        hex_digit(text[i + 2]) >= 0;
    out +=
        escape ? static_cast<char>(16 * hex_digit(text[i + 1]) + hex_digit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return out;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

// The query's parameters, decoded. A plus sign stays a plus sign, because AWS's SDKs never write it
// for a blank.
Pairs query_of(const api::HttpRequest& request) {
  Pairs pairs;
  const std::string& query = request.query;
  for (std::size_t begin = 0; begin < query.size();) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    const std::string pair = query.substr(begin, end - begin);
    const std::size_t equals = pair.find('=');
    if (!pair.empty())
      pairs.emplace_back(decoded(pair.substr(0, equals)),
                         equals == pair.npos ? "" : decoded(pair.substr(equals + 1)));
    begin = end + 1;
  }
  return pairs;
}

std::string value_in(const Pairs& pairs, std::string_view name) {
  const auto found = std::ranges::find(pairs, name, [](const auto& pair) { return pair.first; });
  return found == pairs.end() ? "" : found->second;
}

std::string header_value(const api::HttpRequest& request, std::string_view name) {
  const std::string* const found = request.headers.find(name);
  return found == nullptr ? "" : *found;
}

// Visits the elements "NAME=VALUE", which have commas or blanks between them.
void each_element(std::string_view text, const auto& visit) {
  const auto separates = [](char c) { return c == ',' || c == ' '; };
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if(at, text.end(), separates);
    const auto equals = std::find(at, end, '=');
    if (equals != end) visit(std::string_view(at, equals), std::string_view(equals + 1, end));
    at = std::find_if_not(end, text.end(), separates);
  }
}

Signature of_header(const api::HttpRequest& request, std::string_view header) {
  Signature signature{.by = SignedBy::kHeader};
  each_element(header.substr(kAlgorithm.size()),
               [&](std::string_view name, std::string_view value) {
                 if (name == "Credential") read_credential(value, signature);
                 if (name == "SignedHeaders") signature.signed_headers = value;
                 if (name == "Signature") signature.text = value;
               });
  signature.time = header_value(request, "x-amz-date");
  signature.token = header_value(request, "x-amz-security-token");
  return signature;
}

// S3's paths are signed as they are; other services' paths are encoded twice.
std::string canonical_path(const api::HttpRequest& request, const Signature& signature) {
  if (request.path.empty()) return "/";
  std::string out;
  base::append_percent(out, signature.service == "s3" ? decoded(request.path) : request.path, "/");
  return out;
}

std::string canonical_query(const api::HttpRequest& request, const Signature& signature) {
  Pairs encoded;
  for (const auto& [name, value] : query_of(request)) {
    if (signature.by == SignedBy::kQuery && name == "X-Amz-Signature") continue;
    auto& [encoded_name, encoded_value] = encoded.emplace_back();
    base::append_percent(encoded_name, name);
    base::append_percent(encoded_value, value);
  }
  std::ranges::sort(encoded);
  std::string out;
  for (const auto& [name, value] : encoded) {
    if (!out.empty()) out += '&';
    out += name + '=' + value;
  }
  return out;
}

// Appends a value without blanks at its ends, and with one blank in place of several.
void append_trimmed(std::string& out, std::string_view value) {
  bool blank = false, begun = false;
  for (const char c : value) {
    if (c == ' ' || c == '\t') {
      blank = true;
      continue;
    }
    if (blank && begun) out += ' ';
    blank = false;
    begun = true;
    out += c;
  }
}

void append_header(std::string& out, const api::HttpRequest& request, std::string_view name) {
  out += name;
  out += ':';
  bool first = true;
  for (const auto& [key, value] : request.headers) {
    if (key.size() != name.size() || base::lower_case(key) != name) continue;
    if (!first) out += ',';
    append_trimmed(out, value);
    first = false;
  }
  out += '\n';
}

}  // namespace

void FreeMacContext::operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }

void read_credential(std::string_view credential, Signature& signature) {
  std::string* const parts[] = {&signature.key_id, &signature.date, &signature.region,
                                &signature.service};
  for (std::string* const part : parts) {
    const auto slash = std::min(credential.find('/'), credential.size());
    *part = credential.substr(0, slash);
    credential.remove_prefix(std::min(slash + 1, credential.size()));
  }
}

std::string scope_of(const Signature& signature) {
  return fmt::format("{}/{}/{}/aws4_request", signature.date, signature.region, signature.service);
}

bool same_signature(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  int difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

std::string sha256_hex(std::string_view text) {
  static const EVP_MD* const kSha256 = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  unsigned char digest[kSha256Bytes];
  SIM_CHECK(EVP_Digest(text.data(), text.size(), digest, nullptr, kSha256, nullptr) == 1);
  return hex(digest, sizeof digest);
}

std::optional<Signature> read_signature(const api::HttpRequest& request) {
  if (const std::string* const header = request.headers.find("authorization"))
    return header->starts_with(kAlgorithm) ? std::optional(of_header(request, *header))
                                           : std::nullopt;
  if (request.query.find("X-Amz-Credential=") == request.query.npos) return {};
  const Pairs query = query_of(request);
  Signature signature{.by = SignedBy::kQuery};
  read_credential(value_in(query, "X-Amz-Credential"), signature);
  signature.signed_headers = value_in(query, "X-Amz-SignedHeaders");
  signature.text = value_in(query, "X-Amz-Signature");
  signature.time = value_in(query, "X-Amz-Date");
  signature.token = value_in(query, "X-Amz-Security-Token");
  return signature;
}

std::optional<sim::Time> read_signing_time(std::string_view text) {
  constexpr std::size_t kLength = 16;
  if (text.size() != kLength) return {};
  const auto part = [&](std::size_t at, std::size_t count) { return text.substr(at, count); };
  const auto time =
      base::parse_iso_time(fmt::format("{}-{}-{}T{}:{}:{}Z", part(0, 4), part(4, 2), part(6, 2),
                                       part(9, 2), part(11, 2), part(13, 2)));
  return time ? std::optional(sim::Time(time->time_since_epoch())) : std::nullopt;
}

std::string canonical_request(const api::HttpRequest& request, const Signature& signature,
                              std::string_view payload_hash) {
  std::string out = request.method + '\n' + canonical_path(request, signature) + '\n' +
                    canonical_query(request, signature) + '\n';
  std::string_view names = signature.signed_headers;
  while (!names.empty()) {
    const auto end = std::min(names.find(';'), names.size());
    append_header(out, request, names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  out += '\n';
  out += signature.signed_headers;
  out += '\n';
  out += payload_hash;
  return out;
}

const MacContext& Signer::signing_key(const Signature& signature, std::string_view secret) {
  constexpr std::size_t kMostKeys = 1000;
  std::string which =
      fmt::format("{}/{}/{}/{}", secret, signature.date, signature.region, signature.service);
  const auto found = keys_.find(which);
  if (found != keys_.end()) return found->second;
  if (keys_.size() >= kMostKeys) keys_.clear();
  std::string key = "AWS4" + std::string(secret);
  for (const std::string_view part :
       {std::string_view(signature.date), std::string_view(signature.region),
        std::string_view(signature.service), std::string_view("aws4_request")})
    key = mac_of(mac_context(key), part);
  return keys_.emplace(std::move(which), mac_context(key)).first->second;
}

std::string Signer::sign_text(std::string_view text, const Signature& scope,
                              std::string_view secret) {
  const std::string mac = mac_of(signing_key(scope, secret), text);
  return hex(bytes_of(mac), mac.size());
}

std::string Signer::sign(const api::HttpRequest& request, const Signature& signature,
                         std::string_view payload_hash, std::string_view secret) {
  return sign_text(fmt::format("{}\n{}\n{}\n{}", kAlgorithm, signature.time, scope_of(signature),
                               sha256_hex(canonical_request(request, signature, payload_hash))),
                   signature, secret);
}

}  // namespace fakes::authorisation
