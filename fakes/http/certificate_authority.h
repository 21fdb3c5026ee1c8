// A certificate authority of one's own, for servers that stand in for others.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "fakes/http/server.h"

namespace fakes {

// From when to when certificates are good.
enum class Validity {
  kFromNow,  // by the real clock, from yesterday on for 90 days
  kAlways    // 1970 to 2149: wherever virtual time may be
};

// A text is no certificate, or no key of it; says what was found.
struct NoCertificate : std::runtime_error {
  NoCertificate(const char* what, bool in_key_) : std::runtime_error(what), in_key(in_key_) {}
  bool in_key;  // not in the certificate's text
};

class CertificateAuthority {
 public:
  // A new one. Its certificates have keys and bytes of their own each time; those that are good
  // always, the same length.
  //
  // `constraints`: the names that it may sign for, as OpenSSL's nameConstraints
  // ("critical,permitted;DNS:localhost"); empty: any.
  explicit CertificateAuthority(Validity validity, const std::string& constraints = "");
  // One that was made before, here or elsewhere, of PEM texts; it certifies from now on. Throws
  // NoCertificate.
  CertificateAuthority(const std::string& certificate, const std::string& key);
  CertificateAuthority(CertificateAuthority&&) noexcept;
  ~CertificateAuthority();

  std::string certificate() const;  // PEM
  std::string key() const;          // PEM
  // What OpenSSL looks for it by in a folder of certificates, without the last ".0".
  std::string subject_hash() const;

  bool has_name_constraints() const;
  // Why clients that trust this authority refuse a certificate of it: it has ended, or may not sign
  // for one of the names. Empty where they accept it.
  std::string refuses(const TlsIdentity& identity) const;

  // A new certificate with a new key, of "DNS:…" and "IP:…" names with commas between them.
  TlsIdentity certify(const std::string& common_name, const std::string& names) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fakes
