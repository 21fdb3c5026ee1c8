// The possible errors in the bytes of a checkpoint.
#pragma once

#include <stdexcept>

namespace spottrain {

// The bytes are not a valid checkpoint: cut off, changed, or something else. what() has the reason.
struct DamagedCheckpoint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An intact checkpoint in a later version of the format. Such a checkpoint is not damaged and must
// not be skipped.
// skipped.
struct UnknownFormatVersion : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace spottrain
