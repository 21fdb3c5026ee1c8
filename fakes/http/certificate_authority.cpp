#include "sim/serve/local_ca.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <memory>
#include <stdexcept>

#include "base/whole_file.h"

namespace sim::serve {
namespace {

namespace fs = std::filesystem;

constexpr long kYear = 365L * 86'400;
constexpr long kYesterday = -86'400L;  // for clients whose clock is a little behind

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO_free_all>>;

void must(bool done, const char* what) {
  if (!done) throw std::runtime_error(fmt::format("OpenSSL: {} failed", what));
}

std::string text_of(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string to_pem(X509* certificate) {
  const Memory memory(BIO_new(BIO_s_mem()));
  must(PEM_write_bio_X509(memory.get(), certificate) == 1, "writing a certificate");
  return text_of(memory.get());
}

std::string to_pem(EVP_PKEY* key) {
  const Memory memory(BIO_new(BIO_s_mem()));
  must(PEM_write_bio_PrivateKey(memory.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1,
       "writing a key");
  return text_of(memory.get());
}

void name_it(X509* certificate, const char* common_name) {
  X509_NAME* const name = X509_get_subject_name(certificate);
  const auto add = [&](const char* field, const char* value) {
    must(X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(value), -1, -1, 0) == 1,
         "naming a certificate");
  };
  add("O", "spotsim");
  add("CN", common_name);
}

void extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  must(extension && X509_add_ext(certificate, extension.get(), -1) == 1, "a certificate extension");
}

// Version 3, with a random serial number, of this key; neither named by its issuer nor signed.
Certificate blank(EVP_PKEY* key, const char* common_name, long seconds) {
  Certificate certificate(X509_new());
  must(certificate != nullptr, "making a certificate");
  std::uint64_t serial = 0;
  must(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1, "RAND_bytes");
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), serial >> 1 | 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), kYesterday);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), seconds);
  must(X509_set_pubkey(certificate.get(), key) == 1, "X509_set_pubkey");
  name_it(certificate.get(), common_name);
  return certificate;
}

struct Authority {
  Key key;
  Certificate certificate;
};

Authority new_authority() {
  Authority made{Key(EVP_EC_gen("P-256")), nullptr};
  must(made.key != nullptr, "making a key");
  made.certificate = blank(made.key.get(), "spotsim's local CA", 10 * kYear);
  X509* const own = made.certificate.get();
  X509_set_issuer_name(own, X509_get_subject_name(own));
  extend(own, own, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  extend(own, own, NID_key_usage, "critical,keyCertSign,cRLSign");
  extend(own, own, NID_subject_key_identifier, "hash");
  must(X509_sign(own, made.key.get(), EVP_sha256()) > 0, "signing");
  return made;
}

void write_new(const fs::path& folder, const char* name, const std::string& text, mode_t mode) {
  const mode_t before = umask(mode == 0600 ? 0077 : 0022);
  try {
    base::PendingFile file(folder, name);
    file.write(text);
    file.sync();
    file.publish();
  } catch (...) {
    umask(before);
    throw;
  }
  umask(before);
}

Authority read_authority(const fs::path& certificate_file, const fs::path& key_file) {
  const auto read = [](const fs::path& file, auto parse) {
    const std::string text = base::read_file(file).value_or("");
    const Memory memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    auto* const parsed = parse(memory.get(), nullptr, nullptr, nullptr);
    ERR_clear_error();
    if (!parsed)
      throw std::runtime_error(
          fmt::format("{}: found nothing that can be read as PEM, expected what `spotsim serve "
                      "--tls-folder` made; without both of ca.pem and ca-key.pem it makes new ones",
                      file.string()));
    return parsed;
  };
  Authority authority;
  authority.certificate.reset(read(certificate_file, PEM_read_bio_X509));
  authority.key.reset(read(key_file, PEM_read_bio_PrivateKey));
  if (X509_check_private_key(authority.certificate.get(), authority.key.get()) != 1)
    throw std::runtime_error(key_file.string() + ": found another key than that of ca.pem");
  return authority;
}

Authority authority_in(const fs::path& folder) {
  const fs::path certificate = folder / "ca.pem", key = folder / "ca-key.pem";
  if (fs::exists(certificate) || fs::exists(key)) return read_authority(certificate, key);
  fs::create_directories(folder);
  Authority made = new_authority();
  write_new(folder, "ca-key.pem", to_pem(made.key.get()), 0600);
  write_new(folder, "ca.pem", to_pem(made.certificate.get()), 0644);
  return made;
}

}  // namespace

fakes::TlsIdentity signed_by_local_ca(const fs::path& folder, const std::string& address,
                                      const std::string& region) {
  const Authority authority = authority_in(folder);
  X509* const issuer = authority.certificate.get();
  const Key key(EVP_EC_gen("P-256"));
  must(key != nullptr, "making a key");
  const Certificate certificate = blank(key.get(), "spotsim serve", kYear);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuer));
  extend(certificate.get(), issuer, NID_basic_constraints, "critical,CA:FALSE");
  extend(certificate.get(), issuer, NID_ext_key_usage, "serverAuth");
  extend(certificate.get(), issuer, NID_authority_key_identifier, "keyid");
  extend(certificate.get(), issuer, NID_subject_alt_name,
         fmt::format("DNS:localhost,DNS:*.localhost,DNS:*.amazonaws.com,DNS:*.{}.amazonaws.com,"
                     "IP:127.0.0.1,IP:::1,IP:{}",
                     region, address));
  must(X509_sign(certificate.get(), authority.key.get(), EVP_sha256()) > 0, "signing");
  return {to_pem(certificate.get()) + to_pem(issuer), to_pem(key.get())};
}

}  // namespace sim::serve
