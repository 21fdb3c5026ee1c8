// A local certificate authority, and a certificate for the served port that it signs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fakes/http/server.h"

namespace sim::serve {

// The names of the served port.
struct ServedNames {
  std::string address;  // --bind
  std::string region;
  std::vector<std::string> hosts;  // --allow-host
};

// Uses the authority in ca.pem and ca-key.pem in `folder`, and makes it if it does not exist. A new
// authority can sign only for the served names, and lasts 90 days. The certificate is new at each
// call. `warn` receives a message about an authority that can sign for any name. Throws
// std::runtime_error or std::system_error if a file is invalid or cannot be read or written. Also
// throws if the authority has expired or may not sign for these names.
fakes::TlsIdentity signed_by_local_ca(const std::filesystem::path& folder, const ServedNames& names,
                                      const std::function<void(const std::string&)>& warn);

}  // namespace sim::serve
