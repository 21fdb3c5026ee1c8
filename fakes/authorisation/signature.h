// AWS Signature Version 4 (IAM User Guide, "AWS Signature Version 4 for API requests"): reads the
// signature of a request and calculates the one that a secret key gives.
#pragma once

#include <openssl/types.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/http.h"
#include "sim/kernel/time.h"

namespace fakes::authorisation {

// Where a signature is.
enum class SignedBy { kHeader, kQuery };

struct Signature {
  SignedBy by = SignedBy::kHeader;
  std::string key_id, date, region, service;  // of the credential scope; date is "20191105"
  std::string signed_headers;                 // "host;x-amz-date"
  std::string text;                           // in hexadecimal
  std::string time;                           // "20191105T100000Z"
  std::string token;                          // X-Amz-Security-Token; empty: none
};

// Reads a request's signature. Empty if the request has none of version 4. Missing fields are
// empty.
std::optional<Signature> read_signature(const api::HttpRequest& request);
// Parses "20191105T100000Z". Empty for other texts.
std::optional<sim::Time> read_signing_time(std::string_view text);

struct FreeMacContext {
  void operator()(EVP_MAC_CTX* context) const;
};
using MacContext = std::unique_ptr<EVP_MAC_CTX, FreeMacContext>;

// Calculates signatures. It keeps the signing keys of a day, region and service, like AWS's SDKs.
class Signer {
 public:
  // `payload_hash` is the SHA-256 of the body in hexadecimal, or the value of x-amz-content-sha256.
  std::string sign(const api::HttpRequest& request, const Signature& signature,
                   std::string_view payload_hash, std::string_view secret);
  // The same for any text: a chunk of an upload, or the policy of a form.
  std::string sign_text(std::string_view text, const Signature& scope, std::string_view secret);

 private:
  const MacContext& signing_key(const Signature& signature, std::string_view secret);

  std::map<std::string, MacContext, std::less<>> keys_;  // by the secret and the scope
};

// The request in the form that is signed, for messages and tests.
std::string canonical_request(const api::HttpRequest& request, const Signature& signature,
                              std::string_view payload_hash);
// The date, region, service and "aws4_request" of a signature, as they are signed.
std::string scope_of(const Signature& signature);
// Reads the credential KEY/20191105/us-west-2/ec2/aws4_request.
void read_credential(std::string_view credential, Signature& signature);
// Compares signatures in a time that does not depend on their difference, as AWS does.
bool same_signature(std::string_view a, std::string_view b);
// SHA-256 in hexadecimal.
std::string sha256_hex(std::string_view text);

}  // namespace fakes::authorisation
