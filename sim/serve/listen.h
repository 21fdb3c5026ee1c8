// Listening sockets.
#pragma once

#include <string>

#include "base/file_descriptor.h"

namespace sim::serve {

struct ListeningSocket {
  base::FileDescriptor descriptor;
  int port = 0;
};

// Listens on an IPv4 or IPv6 address; port 0 takes a free one. Throws std::runtime_error: what is
// no address, what is in use.
ListeningSocket listen_on(const std::string& address, int port);

// Whether nobody outside this machine can reach it.
bool is_loopback(const std::string& address);

// "http://127.0.0.1:5000", "http://[::1]:5000".
std::string url_of(const std::string& scheme, const std::string& address, int port);

}  // namespace sim::serve
