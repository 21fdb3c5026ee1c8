// What a program takes from its surroundings beside time, network and disks.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace client {

// The environment variables; empty for one that is not set.
using Environment = std::function<std::string(const char* name)>;

// Random bits, for what must not repeat: client tokens, and the times between retries.
using RandomBits = std::function<std::uint32_t()>;

}  // namespace client
