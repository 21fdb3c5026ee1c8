#include "sim/guest/names/trust.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>
#include <filesystem>
#include <string_view>

#include "base/files/whole_file.h"
#include "base/text/base64.h"

namespace sim::guest {
namespace {

constexpr const char* kBundle = "/etc/ssl/certs/ca-certificates.crt";
constexpr const char* kOtherBundles[] = {"/etc/pki/tls/certs/ca-bundle.crt",
                                         "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
                                         "/etc/ssl/ca-bundle.pem", "/etc/pki/tls/cacert.pem"};
constexpr const char* kJavaStores[] = {"/etc/ssl/certs/java/cacerts", "/etc/pki/java/cacerts",
                                       "/etc/pki/ca-trust/extracted/java/cacerts"};
constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----",
                           kEnd = "-----END CERTIFICATE-----";

void append_number(std::string& out, std::uint64_t number, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    out += static_cast<char>(number >> shift & 0xff);
}

void append_text(std::string& out, const std::string& text) {
  append_number(out, text.size(), 2);
  out += text;
}

}  // namespace

std::string java_key_store(const std::string& certificates) {
  constexpr std::uint64_t kMagic = 0xFEEDFEED, kVersion = 2, kTrustedCertificate = 2;
  std::string entries;
  std::uint64_t count = 0;
  for (std::size_t at = 0; (at = certificates.find(kBegin, at)) != certificates.npos;) {
    at += kBegin.size();
    const std::size_t end = certificates.find(kEnd, at);
    if (end == certificates.npos) break;
    const auto bytes = base::base64_decode(certificates.substr(at, end - at));
    if (!bytes) continue;
    append_number(entries, kTrustedCertificate, 4);
    append_text(entries, fmt::format("certificate-{}", ++count));
    append_number(entries, 0, 8);  // when it was added
    append_text(entries, "X.509");
    append_number(entries, bytes->size(), 4);
    entries += *bytes;
  }
  std::string store;
  append_number(store, kMagic, 4);
  append_number(store, kVersion, 4);
  append_number(store, count, 4);
  store += entries;
  // The JDK's sun.security.provider.JavaKeyStore: the password in UTF-16, a phrase, the store.
  std::string hashed;
  for (const char c : std::string_view("changeit")) hashed += {'\0', c};
  hashed += "Mighty Aphrodite" + store;
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(hashed.data()), hashed.size(), digest.data());
  return store.append(reinterpret_cast<const char*>(digest.data()), digest.size());
}

std::map<std::string, std::string> trusting_variables() {
  // urllib3 warns if the clock is earlier than the day of its release.
  std::map<std::string, std::string> out{{"PYTHONWARNINGS", "ignore:System time is way off"}};
  for (const char* name : {"AWS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO",
                           "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"})
    out[name] = kBundle;
  return out;
}

std::map<std::string, std::string> trusting_files(const fakes::CertificateAuthority& authority,
                                                  const FilePlace& place) {
  const std::string own = authority.certificate();
  std::map<std::string, std::string> files;
  const auto with_own = [&](const std::string& path) {
    std::string list = base::read_file(place(path)).value_or("");
    if (!list.empty() && !list.ends_with('\n')) list += '\n';
    return list + own;
  };
  files[kBundle] = with_own(kBundle);
  for (const std::string path : kOtherBundles)
    if (!place(path).empty()) files[path] = with_own(path);
  for (const std::string path : kJavaStores)
    if (!place(path).empty()) files[path] = java_key_store(files[kBundle]);
  const std::string by_hash = "/etc/ssl/certs/" + authority.subject_hash() + ".";
  int number = 0;
  while (!place(by_hash + std::to_string(number)).empty()) ++number;
  files[by_hash + std::to_string(number)] = own;
  files["/usr/local/share/ca-certificates/spotsim.crt"] = own;

  std::string& environment = files["/etc/environment"];
  environment = base::read_file(place("/etc/environment")).value_or("");
  if (!environment.empty() && !environment.ends_with('\n')) environment += '\n';
  for (const auto& [name, value] : trusting_variables()) environment += name + "=" + value + "\n";
  return files;
}

}  // namespace sim::guest
