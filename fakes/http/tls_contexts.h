// OpenSSL's contexts for a TLS server, one for each requested name.
#pragma once

#include <map>
#include <string>

#include "fakes/http/openssl_objects.h"
#include "fakes/http/server.h"

namespace fakes {

class TlsContexts {
 public:
  // Throws std::runtime_error for an invalid identity.
  TlsContexts(const TlsIdentity& identity, IdentityOf by_name);
  TlsContexts(const TlsContexts&) = delete;

  // For a new connection. It is replaced by the context of the name that the client requests. The
  // caller owns one reference.
  SSL_CTX* new_reference() const;

 private:
  static openssl::Context make(const TlsIdentity& identity);
  static int choose(SSL* connection, int*, void* self);
  SSL_CTX* of(const std::string& name);

  openssl::Context own_;
  IdentityOf by_name_;
  std::map<std::string, openssl::Context> of_name_;  // no more than by_name_ has identities
};

}  // namespace fakes
