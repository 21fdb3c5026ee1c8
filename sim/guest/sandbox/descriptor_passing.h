// Passes descriptors and a text over a Unix socket (SCM_RIGHTS), in one packet.
#pragma once

#include <string>
#include <vector>

#include "base/files/file_descriptor.h"

namespace sim::guest {

struct Packet {
  std::string text;
  std::vector<base::FileDescriptor> descriptors;
};

// Async-signal-safe, except std::string; throws std::system_error.
void send_packet(int socket, const std::string& text, const std::vector<int>& descriptors);
// Waits for a packet. Returns an empty one if the other end is closed.
Packet receive_packet(int socket);

}  // namespace sim::guest
