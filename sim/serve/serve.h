// Serves the testbed on a port until a signal ends it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fakes/http/server.h"
#include "sim/serve/http_sender.h"
#include "sim/serve/testbed.h"

namespace sim::serve {

struct ServeOptions {
  std::string address = "127.0.0.1";
  int port = 5000;                   // 0: any free port
  std::optional<int> tls_port;       // a second port, over TLS
  std::filesystem::path tls_folder;  // of the local CA
  std::vector<std::string> hosts;    // names for the certificate, in addition to the usual ones
  fakes::Patience patience;
  HttpSender* sender = nullptr;  // of TestbedOptions::served; null: none
  // Called when the ports are open, before the first request is read. tls_port is 0 without TLS.
  std::function<void(int port, int tls_port)> ready;
  // Receives warnings: an instance's metadata address that cannot be used, and a local CA that can
  // sign for any name.
  std::function<void(const std::string&)> warn;
};

// Answers requests until SIGINT or SIGTERM. Then it answers received requests for at most three
// seconds. Throws JournalError, std::system_error, std::runtime_error.
void serve(Testbed& testbed, const ServeOptions& options);

}  // namespace sim::serve
