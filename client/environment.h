// The environment variables of a program, as a seam.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace client {

// Returns an environment variable; empty if it is not set.
using Environment = std::function<std::string(const char* name)>;

// Random bits, for what must not repeat: client tokens, and the times between retries.
using RandomBits = std::function<std::uint32_t()>;

}  // namespace client
