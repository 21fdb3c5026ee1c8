// The testbed behind a port, until it is told to end.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fakes/http/server.h"
#include "sim/serve/testbed.h"

namespace sim::serve {

struct ServeOptions {
  std::string address = "127.0.0.1";
  int port = 5000;                   // 0: a free one
  std::optional<int> tls_port;       // a second port, over TLS
  std::filesystem::path tls_folder;  // of the local CA
  std::vector<std::string> hosts;    // names that the certificate is for, besides the usual ones
  fakes::Patience patience;
  // Called when the ports are open, before the first request is read; tls_port: 0 for none.
  std::function<void(int port, int tls_port)> ready;
  // Told of an instance's metadata address at which nothing can listen, and of a local CA that can
  // sign for any name.
  std::function<void(const std::string&)> warn;
};

// Answers until SIGINT or SIGTERM comes; then what was asked is answered first, for three seconds
// at most. Throws JournalError, std::system_error, std::runtime_error.
void serve(Testbed& testbed, const ServeOptions& options);

}  // namespace sim::serve
