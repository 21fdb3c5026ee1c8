// A local certificate authority, for servers that replace real ones.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "fakes/http/server.h"

namespace fakes {

// The period of validity of certificates.
enum class Validity {
  kFromNow,  // 90 days by the real clock, from yesterday on
  kAlways    // 1970 to 2149, which includes every virtual time
};

// Thrown if a text is not a certificate, or if the key does not belong to it. The message has
// details.
struct NoCertificate : std::runtime_error {
  NoCertificate(const char* what, bool in_key_) : std::runtime_error(what), in_key(in_key_) {}
  bool in_key;  // not in the certificate's text
};

// Signs the certificates with which the simulator serves AWS's host names. A run has a new
// authority, which only its guests trust. `spotsim serve` keeps its authority in files
// (sim/serve/local_ca.h).
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

  // Makes a certificate with a new key. `names` are "DNS:…" and "IP:…" names, separated by commas.
  TlsIdentity certify(const std::string& common_name, const std::string& names) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fakes
