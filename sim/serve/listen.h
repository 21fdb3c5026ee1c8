// Listening sockets.
#pragma once

#include <string>

#include "base/files/file_descriptor.h"

namespace sim::serve {

struct ListeningSocket {
  base::FileDescriptor descriptor;
  int port = 0;
};

// Listens on an IPv4 or IPv6 address; port 0 takes any free port. Throws std::runtime_error if the
// address is invalid or in use.
ListeningSocket listen_on(const std::string& address, int port);

// True if only this machine can reach the address.
bool is_loopback(const std::string& address);

// "http://127.0.0.1:5000", "http://[::1]:5000".
std::string url_of(const std::string& scheme, const std::string& address, int port);

}  // namespace sim::serve
