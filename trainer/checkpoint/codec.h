// A checkpoint as bytes; the format is described in docs/checkpoints.md.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "trainer/checkpoint/checkpoint.h"

namespace spottrain {

// Bytes that are no whole checkpoint: cut off, changed, or never one. what() says which.
struct DamagedCheckpoint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An intact checkpoint in a later version of the format: not damage, so nothing to skip.
struct UnknownFormatVersion : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string encode(const Checkpoint& checkpoint);
// encode's inverse. Throws DamagedCheckpoint or UnknownFormatVersion.
Checkpoint decode(std::string_view bytes);

}  // namespace spottrain
