#include "fakes/http/identity_signature.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>

#include <vector>

#include "base/text/base64.h"
#include "fakes/http/openssl_objects.h"
#include "sim/kernel/check.h"

namespace fakes {
namespace {

// Made with openssl on 2026-11-26; good from 1970 to 2149, wherever virtual time may be.
const std::string kIdentityCertificate = R"(-----BEGIN CERTIFICATE-----
MIIDPjCCAiagAwIBAgIBATANBgkqhkiG9w0BAQsFADBJMQswCQYDVQQGEwJVUzEQ
MA4GA1UECgwHc3BvdHNpbTEoMCYGA1UEAwwfc2ltdWxhdGVkIEVDMiBpbnN0YW5j
ZSBpZGVudGl0eTAgFw03MDAxMDEwMDAwMDBaGA8yMTQ5MDEwMTAwMDAwMFowSTEL
MAkGA1UEBhMCVVMxEDAOBgNVBAoMB3Nwb3RzaW0xKDAmBgNVBAMMH3NpbXVsYXRl
ZCBFQzIgaW5zdGFuY2UgaWRlbnRpdHkwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAw
ggEKAoIBAQDJw5o6u9Q9KnURttItfxSLY/ez+hOtJz6XVvFqcyxwaBwyYWvt6C8k
Ydv+OzEMMWLclCh1rJHbpefMjPQCAq9+1lI1tDc308V6/RLPzYJDnq6kwJPWK69b
g0E/uyrILprfPGwHX4ozzR/yV/MsIUSwjRkKFZdBePncE5YIIaXhpZfHlcF4WwOg
TOAsIBueXti+O7VLHvgAPATcnp3AIA8Koy30/GbxYMksD9it7Hy56COU45u0uMgi
2wsgqTm+o8P9S/mt6cEntEAlsIQ8uYD+BzZz8/6nRzWfppZUaPc3xMzsTQPyTiZE
MVWR76rO6kZAJ6kLA5aK8RaPToRNLqjRAgMBAAGjLzAtMAwGA1UdEwEB/wQCMAAw
HQYDVR0OBBYEFJ0wjxAVdEpWxosfhWnPVWjmc8V6MA0GCSqGSIb3DQEBCwUAA4IB
AQAjIHfU4YWWKQ2fUtBL+822PpvOqWpqRwslhdCfxZGPOzBt2ASjXDwTxUkZNiZn
cawNv4gy+JABmvY8F7fPmgfC5UX2aYDOctDzV0Z9wgmNehhF0qPs64Y3gdZMOmJ9
f1xb6WeMrdkS9iHBDz2VcBsH9U4S1vvUfgk/9EqBs2wo+F1LHusEIZdzFjiQx6mA
KGSVjz7Bzf9iSP7LNThRSiNtzzkDZR+ZHIVciODfnixVICIMqkDXl3j3FZy2UUJ4
iiTiWN1+4HSZJN4wfqknFE+OaTZCZKO5nul2zAnVWBsDw8Ga16K+ZPt6dtZFCABZ
6bM4L1j893bmrDg2NP/s98sf
-----END CERTIFICATE-----
)";
const std::string kIdentityKey = R"(-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDJw5o6u9Q9KnUR
ttItfxSLY/ez+hOtJz6XVvFqcyxwaBwyYWvt6C8kYdv+OzEMMWLclCh1rJHbpefM
jPQCAq9+1lI1tDc308V6/RLPzYJDnq6kwJPWK69bg0E/uyrILprfPGwHX4ozzR/y
V/MsIUSwjRkKFZdBePncE5YIIaXhpZfHlcF4WwOgTOAsIBueXti+O7VLHvgAPATc
np3AIA8Koy30/GbxYMksD9it7Hy56COU45u0uMgi2wsgqTm+o8P9S/mt6cEntEAl
sIQ8uYD+BzZz8/6nRzWfppZUaPc3xMzsTQPyTiZEMVWR76rO6kZAJ6kLA5aK8RaP
ToRNLqjRAgMBAAECggEAIMqOyCFrRNaf6LVdEuJeuSnR4fkQlhl0+X06prmZvRoa
jRCazTNpaAEUk0zU852aKu3UZo2ZtghQdETrSmFb2uIjwdEskUD0jUDQvB+zHmDN
kv6ueEYozZd3NQ+rDBZQ+tuT1h3vtOwPV2B2Z9NvWb9Q1Lv+FXi/KQaw4VjwoAuy
wtIekwqxW6rp3Koq6r3fzRyj3/fuGGMCdGlzSpRcADELgb+eb3aQ+P3kzKjr6Do1
3yBxtSJ2J6bbO2IJAA7QAOLUmmGoocdu6y2w8213+p8fpWEOTxOjdH+eY4/6bRRg
C/l/16Vx5wZ3NRMQ8JCSKR99jRicP4Xz3JNDplUBLQKBgQD4t+5GQ6blFMWff9dT
5CH3VBPkEbBVxYysMR7yM4HSisoY+fJpaTcwnoOod/veYejjJ11Zy7f9AQxjMNEI
wdTqDcQ0SJrFp75CHrK/0QHPMeMHGljFpmtnDIK7vpFr8KAXXqHsEbopKXLRvun8
Mezn5wsFCIRCvnlno9yZQ84whQKBgQDPq8NBhMTWf41w3FpiOA17pVrA0vPmFveA
oSqCmXFqZgWEdW1JE7z48ufCepPrwxZH1BQ/JO+Hkt3Lb7ug/kEtVNjGP/hkFR5x
qvKWh5NkbWyKhpaoVcfW3QuLoHl6dtbPQAj3IF2JbQ3oeY1k1eEzTynzpAl2+Gd5
gHgn3cGO3QKBgGdYDZJ2g79F3UOD3BXIgfCBp+4pB2rsNaJKmsAqdLPl5Ulxea8g
/8Sc6Lm0eRwS9LCF57zq790ZdWs1mnWYDH7gD3ll/aFJLL3OgZlAIA9WfC20XdRq
bNAZm6yk50nBZtOvB3rOdtqplULfn9uhZv2Iu8RwoHwXJtzQclXgnaj9AoGAd2e5
QwjF7Nc2SjhIt8Sm6/stbUVd+2QlNw5z1NfJQHYcogaqqaPxuepgm4/DUYHAY9hr
M8tW9krZwEkkRvMqIphwc70AYvtJn+28whR+CPZpvFSad3urBb3fD49bibCe3ldh
UEaJwaS0pICPbfUUIV5ZLr+YuZEmXdQiQjndOvkCgYEAgHWPvPnEYHpZDTBX7tWY
SCQyTyFMfDOePLjdBy7Gs8q8AJhKFNmcDVUDsis3dsXzx3xqGoWFFiw0gtwk3LTX
yrNh5zPnLkjyQ73X/h/VxEEZoTb/C2o+BsHsVHfFrgB7GHbpA6FOvWqYR8DCGo+Z
JgWHbC3/g18VwuwACXf6nwY=
-----END PRIVATE KEY-----
)";

openssl::Key identity_key() {
  const auto reader = openssl::reader_of(kIdentityKey);
  openssl::Key key(PEM_read_bio_PrivateKey(reader.get(), nullptr, nullptr, nullptr));
  SIM_CHECK(key);
  return key;
}

openssl::Certificate identity_certificate() {
  const auto reader = openssl::reader_of(kIdentityCertificate);
  openssl::Certificate certificate(PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr));
  SIM_CHECK(certificate);
  return certificate;
}

std::string base64_lines(std::string_view bytes) {
  constexpr std::size_t kWidth = 64;
  std::string text = base::base64_encode(bytes);
  for (std::size_t at = kWidth; at < text.size(); at += kWidth + 1) text.insert(at, 1, '\n');
  return text;
}

}  // namespace

namespace {

// RSASSA-PKCS1-v1_5, in bytes.
std::string signed_bytes(std::string_view document, const EVP_MD* digest) {
  const openssl::Key key = identity_key();
  const std::unique_ptr<EVP_MD_CTX, openssl::Freed<EVP_MD_CTX_free>> context(EVP_MD_CTX_new());
  SIM_CHECK(EVP_DigestSignInit(context.get(), nullptr, digest, nullptr, key.get()) == 1);
  const auto* const data = reinterpret_cast<const unsigned char*>(document.data());
  std::vector<unsigned char> signature(static_cast<std::size_t>(EVP_PKEY_get_size(key.get())));
  std::size_t size = signature.size();
  SIM_CHECK(EVP_DigestSign(context.get(), signature.data(), &size, data, document.size()) == 1);
  return {reinterpret_cast<const char*>(signature.data()), size};
}

}  // namespace

std::string identity_signature(std::string_view document) {
  return base64_lines(signed_bytes(document, EVP_sha256()));
}

std::string rsa_signature(std::string_view text, std::string_view digest) {
  return base::base64_encode(signed_bytes(text, digest == "SHA256" ? EVP_sha256() : EVP_sha1()));
}

const std::string& signing_certificate() { return kIdentityCertificate; }

std::string identity_pkcs7(std::string_view document) {
  const std::string content(document);
  const auto reader = openssl::reader_of(content);
  // Without attributes there is no time of signing, which would be this machine's.
  const std::unique_ptr<PKCS7, openssl::Freed<PKCS7_free>> message(
      PKCS7_sign(identity_certificate().get(), identity_key().get(), nullptr, reader.get(),
                 PKCS7_BINARY | PKCS7_NOATTR));
  SIM_CHECK(message);
  unsigned char* der = nullptr;
  const int size = i2d_PKCS7(message.get(), &der);
  SIM_CHECK(size > 0);
  const std::string bytes(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  return base64_lines(bytes);
}

}  // namespace fakes
