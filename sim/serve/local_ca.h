// A certificate authority of one's own, and a certificate of the served port signed by it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fakes/http/server.h"

namespace sim::serve {

// What the served port is called.
struct ServedNames {
  std::string address;  // --bind
  std::string region;
  std::vector<std::string> hosts;  // --allow-host
};

// `folder` holds ca.pem and ca-key.pem, which are made where they are not there. The authority that
// is made can sign for the served names alone, and lasts 90 days. The certificate is new each time.
// `warn` is told of an authority that can sign for any name.
// Throws std::runtime_error and std::system_error: a file cannot be read or written, or is none;
// the authority has ended or may not sign for these names.
fakes::TlsIdentity signed_by_local_ca(const std::filesystem::path& folder, const ServedNames& names,
                                      const std::function<void(const std::string&)>& warn);

}  // namespace sim::serve
