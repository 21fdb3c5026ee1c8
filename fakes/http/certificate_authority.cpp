#include "fakes/http/certificate_authority.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <cstdint>
#include <stdexcept>

#include "fakes/http/openssl_objects.h"

namespace fakes {
namespace {

using namespace openssl;

// Browsers and Apple's systems refuse a server's certificate that lasts longer than 398 days.
constexpr long kLife = 90L * 86'400;
constexpr long kYesterday = -86'400L;  // for clients with slow clocks
constexpr std::int64_t k2149 = 5'648'745'600;
// Most signatures have a DER form of this length; the rest is a byte or two shorter or longer.
constexpr int kUsualSignature = 71;

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

void set_validity(X509* certificate, Validity validity, long seconds) {
  ASN1_TIME* const from = X509_getm_notBefore(certificate);
  ASN1_TIME* const until = X509_getm_notAfter(certificate);
  const bool done = validity == Validity::kAlways
                        ? ASN1_TIME_set(from, 0) && ASN1_TIME_set(until, k2149)
                        : X509_gmtime_adj(from, kYesterday) && X509_gmtime_adj(until, seconds);
  must(done, "setting a certificate's validity");
}

// Version 3, with a random serial number of 63 bits, of this key; neither named by its issuer nor
// signed.
Certificate blank(EVP_PKEY* key, const char* common_name, Validity validity, long seconds) {
  Certificate certificate(X509_new());
  must(certificate != nullptr, "making a certificate");
  std::uint64_t serial = 0;
  must(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1, "RAND_bytes");
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()),
                          serial >> 1 | std::uint64_t{1} << 62);
  set_validity(certificate.get(), validity, seconds);
  must(X509_set_pubkey(certificate.get(), key) == 1, "X509_set_pubkey");
  name_it(certificate.get(), common_name);
  return certificate;
}

Key new_key() {
  Key key(EVP_EC_gen("P-256"));
  must(key != nullptr, "making a key");
  return key;
}

// Signs again until the signature has its usual length, so that a guest sees the same sizes in each
// run. The key is one of new_key(): other keys have signatures of other lengths.
void sign(X509* certificate, EVP_PKEY* key, Validity validity) {
  const ASN1_BIT_STRING* signature = nullptr;
  do {
    must(X509_sign(certificate, key, EVP_sha256()) > 0, "signing");
    X509_get0_signature(&signature, nullptr, certificate);
  } while (validity == Validity::kAlways && signature->length != kUsualSignature);
}

template <class Object, Object* (*Parse)(BIO*, Object**, pem_password_cb*, void*)>
Object* parse_pem(const std::string& text, bool is_key) {
  const Memory memory = reader_of(text);
  Object* const parsed = Parse(memory.get(), nullptr, nullptr, nullptr);
  ERR_clear_error();
  if (!parsed) throw NoCertificate("found nothing that can be read as PEM", is_key);
  return parsed;
}

}  // namespace

struct CertificateAuthority::State {
  openssl::Key key;
  openssl::Certificate certificate;
  Validity validity;
};

CertificateAuthority::CertificateAuthority(Validity validity, const std::string& constraints)
    : state_(std::make_unique<State>(State{new_key(), nullptr, validity})) {
  state_->certificate = blank(state_->key.get(), "spotsim's local CA", validity, kLife);
  X509* const own = state_->certificate.get();
  X509_set_issuer_name(own, X509_get_subject_name(own));
  extend(own, own, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  extend(own, own, NID_key_usage, "critical,keyCertSign,cRLSign");
  extend(own, own, NID_subject_key_identifier, "hash");
  if (!constraints.empty()) extend(own, own, NID_name_constraints, constraints);
  sign(own, state_->key.get(), validity);
}

CertificateAuthority::CertificateAuthority(const std::string& certificate, const std::string& key)
    : state_(std::make_unique<State>()) {
  state_->certificate.reset(parse_pem<X509, PEM_read_bio_X509>(certificate, false));
  state_->key.reset(parse_pem<EVP_PKEY, PEM_read_bio_PrivateKey>(key, true));
  state_->validity = Validity::kFromNow;
  if (X509_check_private_key(state_->certificate.get(), state_->key.get()) != 1)
    throw NoCertificate("found another key than that of the certificate", true);
}

CertificateAuthority::CertificateAuthority(CertificateAuthority&&) noexcept = default;
CertificateAuthority::~CertificateAuthority() = default;

std::string CertificateAuthority::certificate() const { return to_pem(state_->certificate.get()); }
std::string CertificateAuthority::key() const { return to_pem(state_->key.get()); }
std::string CertificateAuthority::subject_hash() const {
  return fmt::format("{:08x}", X509_subject_name_hash(state_->certificate.get()));
}

TlsIdentity CertificateAuthority::certify(const std::string& common_name,
                                          const std::string& names) const {
  X509* const issuer = state_->certificate.get();
  const Key key = new_key();
  const Certificate made = blank(key.get(), common_name.c_str(), state_->validity, kLife);
  X509_set_issuer_name(made.get(), X509_get_subject_name(issuer));
  extend(made.get(), issuer, NID_basic_constraints, "critical,CA:FALSE");
  extend(made.get(), issuer, NID_ext_key_usage, "serverAuth");
  if (X509_get0_subject_key_id(issuer))
    extend(made.get(), issuer, NID_authority_key_identifier, "keyid");
  extend(made.get(), issuer, NID_subject_alt_name, names);
  sign(made.get(), state_->key.get(), state_->validity);
  return {to_pem(made.get()) + to_pem(issuer), to_pem(key.get())};
}

bool CertificateAuthority::has_name_constraints() const {
  return X509_get_ext_by_NID(state_->certificate.get(), NID_name_constraints, -1) >= 0;
}

std::string CertificateAuthority::refuses(const TlsIdentity& identity) const {
  const Memory reader = reader_of(identity.certificates);
  const Certificate leaf(PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr));
  const std::unique_ptr<X509_STORE, Freed<X509_STORE_free>> store(X509_STORE_new());
  const std::unique_ptr<X509_STORE_CTX, Freed<X509_STORE_CTX_free>> check(X509_STORE_CTX_new());
  must(leaf && store && check && X509_STORE_add_cert(store.get(), state_->certificate.get()) == 1 &&
           X509_STORE_CTX_init(check.get(), store.get(), leaf.get(), nullptr) == 1,
       "preparing to verify a certificate");
  if (X509_verify_cert(check.get()) == 1) return "";
  return X509_verify_cert_error_string(X509_STORE_CTX_get_error(check.get()));
}

}  // namespace fakes
