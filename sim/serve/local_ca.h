// A certificate authority of one's own, and a certificate of the served port signed by it.
#pragma once

#include <filesystem>
#include <string>

#include "fakes/http/server.h"

namespace sim::serve {

// `folder` holds ca.pem and ca-key.pem, which are made where they are not there. The certificate is
// new each time, for a year, for localhost, 127.0.0.1, ::1, `address` and AWS's names in a region.
// Throws std::runtime_error and std::system_error: a file cannot be read or written, or is none.
fakes::TlsIdentity signed_by_local_ca(const std::filesystem::path& folder,
                                      const std::string& address, const std::string& region);

}  // namespace sim::serve
