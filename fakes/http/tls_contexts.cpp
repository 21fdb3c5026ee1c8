#include "fakes/http/tls_contexts.h"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <stdexcept>

#include "base/text/lower_case.h"

namespace fakes {
namespace {

using namespace openssl;

bool use_certificates(SSL_CTX* context, const std::string& pem) {
  const Memory reader = reader_of(pem);
  const Certificate own(PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr));
  if (!own || SSL_CTX_use_certificate(context, own.get()) != 1) return false;
  while (X509* const next = PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr))
    if (SSL_CTX_add0_chain_cert(context, next) != 1) return X509_free(next), false;
  ERR_clear_error();  // the end of the text
  return true;
}

bool use_key(SSL_CTX* context, const std::string& pem) {
  const Memory reader = reader_of(pem);
  const Key key(PEM_read_bio_PrivateKey(reader.get(), nullptr, nullptr, nullptr));
  return key && SSL_CTX_use_PrivateKey(context, key.get()) == 1;
}

}  // namespace

TlsContexts::TlsContexts(const TlsIdentity& identity, IdentityOf by_name)
    : own_(make(identity)), by_name_(std::move(by_name)) {
  if (!by_name_) return;
  SSL_CTX_set_tlsext_servername_callback(own_.get(), choose);
  SSL_CTX_set_tlsext_servername_arg(own_.get(), this);
}

SSL_CTX* TlsContexts::new_reference() const {
  SSL_CTX_up_ref(own_.get());
  return own_.get();
}

openssl::Context TlsContexts::make(const TlsIdentity& identity) {
  openssl::Context context(SSL_CTX_new(TLS_server_method()));
  if (!context || !use_certificates(context.get(), identity.certificates) ||
      !use_key(context.get(), identity.key)) {
    ERR_clear_error();
    throw std::runtime_error("TLS: found no certificate with its key in PEM, expected both");
  }
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_ALL | SSL_OP_NO_COMPRESSION | SSL_OP_SINGLE_ECDH_USE |
                                         SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  // Each handshake is complete, so that it does not depend on earlier sessions.
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context.get(), 0);
  return context;
}

SSL_CTX* TlsContexts::of(const std::string& name) {
  if (const auto known = of_name_.find(name); known != of_name_.end()) return known->second.get();
  const TlsIdentity* const identity = by_name_(name);
  return identity ? of_name_.emplace(name, make(*identity)).first->second.get() : nullptr;
}

// Called by OpenSSL, so it must not throw.
int TlsContexts::choose(SSL* connection, int*, void* self) try {
  const char* const asked = SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name);
  if (asked == nullptr) return SSL_TLSEXT_ERR_NOACK;
  const std::string name = base::lower_case(asked);
  SSL_CTX* const context = static_cast<TlsContexts*>(self)->of(name);
  if (context == nullptr) return SSL_TLSEXT_ERR_NOACK;
  SSL_set_SSL_CTX(connection, context);
  return SSL_TLSEXT_ERR_OK;
} catch (...) {
  return SSL_TLSEXT_ERR_ALERT_FATAL;
}

}  // namespace fakes
