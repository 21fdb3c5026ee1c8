// Signatures of instance identity documents. AWS signs them with a key of each region. Here one key
// signs all, which is in the source: it proves nothing, and lets programs that verify a signature
// be tried. The certificate is in each PKCS #7 message.
#pragma once

#include <string>
#include <string_view>

namespace fakes {

// All signatures are RSA-2048 with SHA-256, so they depend on the document alone. Base64 in lines
// of 64 characters, without a line end behind the last.

// RSASSA-PKCS1-v1_5.
std::string identity_signature(std::string_view document);
// PKCS #7 SignedData, which holds the document and the certificate.
std::string identity_pkcs7(std::string_view document);

}  // namespace fakes
