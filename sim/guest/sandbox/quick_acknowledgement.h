// Avoids the kernel's own delays in TCP.
#pragma once

namespace sim::guest {

// Makes TCP connections to loopback addresses acknowledge at once, through routes. A delayed
// acknowledgement takes up to 40 ms of real time. A program that writes twice before it reads
// (Nagle's algorithm) would wait for it while virtual time moves. Call it in a new network
// namespace with loopback up. Throws std::system_error.
void acknowledge_at_once();

}  // namespace sim::guest
