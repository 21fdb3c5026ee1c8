// What OpenSSL needs to speak TLS as a server, for each name that clients ask for.
#pragma once

#include <map>
#include <string>

#include "fakes/http/openssl_objects.h"
#include "fakes/http/server.h"

namespace fakes {

class TlsContexts {
 public:
  // Throws std::runtime_error for an identity that is none.
  TlsContexts(const TlsIdentity& identity, IdentityOf by_name);
  TlsContexts(const TlsContexts&) = delete;

  // For a new connection; changes to that of the name when the client says which it asks for. One
  // reference is the caller's.
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
