// Makes programs in a guest trust a certificate authority of the simulator.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "fakes/http/certificate_authority.h"

namespace sim::guest {

// Path in a guest → contents. The files are the guest's lists of trusted certificates (Debian's,
// Red Hat's and SUSE's places, Java's) with the authority added, and /etc/environment with the
// variables. The authority is also where OpenSSL looks for it by its hash, and where
// `update-ca-certificates` finds it. `place` returns where a file of the guest is on the host, or
// empty if it does not exist. An image's own file has precedence over the host's.
using FilePlace = std::function<std::filesystem::path(const std::string& path)>;
std::map<std::string, std::string> trusting_files(const fakes::CertificateAuthority& authority,
                                                  const FilePlace& place);

// Environment variables that make programs trust the simulator's authority. They are for programs
// that have their own list of authorities, as pip's certifi does. They also prevent that Python
// warns of a clock in the past at each TLS connection.
std::map<std::string, std::string> trusting_variables();

// A Java key store (JKS) of the certificates in a PEM text, with the usual password "changeit".
std::string java_key_store(const std::string& certificates);

}  // namespace sim::guest
