// Signatures of instance identity documents and of SNS's messages. AWS signs them with a key per
// region. Here one key, which is in the source, signs all. So a signature proves nothing, but
// programs that verify signatures can be tested. Each PKCS #7 message has the certificate.
#pragma once

#include <string>
#include <string_view>

namespace fakes {

// All signatures are RSA-2048 with SHA-256, so they depend only on the document. They are in
// base64, in lines of 64 characters, without a line end after the last.

// RSASSA-PKCS1-v1_5.
std::string identity_signature(std::string_view document);
// RSASSA-PKCS1-v1_5 in one line. `digest` is "SHA1" or "SHA256".
std::string rsa_signature(std::string_view text, std::string_view digest);
// The certificate of the key, in PEM.
const std::string& signing_certificate();
// PKCS #7 SignedData with the document and the certificate.
std::string identity_pkcs7(std::string_view document);

}  // namespace fakes
