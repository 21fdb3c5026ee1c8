// A local certificate authority, for servers that replace real ones.
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

// A text is not a certificate, or the key does not belong to it. The message has the details.
struct NoCertificate : std::runtime_error {
  NoCertificate(const char* what, bool in_key_) : std::runtime_error(what), in_key(in_key_) {}
  bool in_key;  // not in the certificate's text
};

class CertificateAuthority {
 public:
  // Makes a new authority. Its certificates have new keys and bytes each time; those with unlimited
  // validity always have the same length.
  //
  // `constraints`: the names for which it may sign, in the form of OpenSSL's nameConstraints
  // ("critical,permitted;DNS:localhost"); empty: any.
  explicit CertificateAuthority(Validity validity, const std::string& constraints = "");
  // Uses an existing authority in PEM, made here or elsewhere. Throws NoCertificate.
  CertificateAuthority(const std::string& certificate, const std::string& key);
  CertificateAuthority(CertificateAuthority&&) noexcept;
  ~CertificateAuthority();

  std::string certificate() const;  // PEM
  std::string key() const;          // PEM
  // The name by which OpenSSL finds it in a folder of certificates, without the final ".0".
  std::string subject_hash() const;

  bool has_name_constraints() const;
  // The reason why clients that trust this authority refuse a certificate of it: it has expired, or
  // the authority may not sign for one of the names. Empty if they accept it.
  std::string refuses(const TlsIdentity& identity) const;

  // A new certificate with a new key, of "DNS:…" and "IP:…" names with commas between them.
  TlsIdentity certify(const std::string& common_name, const std::string& names) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fakes
