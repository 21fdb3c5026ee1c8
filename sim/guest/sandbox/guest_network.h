// The sandbox's network: a loopback with AWS's link-local addresses.
#pragma once

#include <cstdint>

#include "base/files/file_descriptor.h"

namespace sim::guest {

inline constexpr const char* kMetadataAddress = "169.254.169.254";
inline constexpr const char* kEndpointAddress = "169.254.169.253";

// In a new network namespace: brings the loopback up and gives it both addresses.
void set_up_loopback();
// A listening TCP socket; port 0 takes a free one.
base::FileDescriptor listen_at(const char* address, std::uint16_t port);
// A UDP socket.
base::FileDescriptor receive_at(const char* address, std::uint16_t port);
std::uint16_t port_of(const base::FileDescriptor& socket);

}  // namespace sim::guest
