// TCP without the kernel's own waits.
#pragma once

namespace sim::guest {

// Makes all TCP to addresses of this machine's loopback acknowledge at once, by its routes. A
// delayed acknowledgement takes up to 40 ms of real time; a program that writes twice before it
// reads (Nagle's algorithm) would wait for it while virtual time moves on. In a new network
// namespace, whose loopback is up. Throws std::system_error.
void acknowledge_at_once();

}  // namespace sim::guest
