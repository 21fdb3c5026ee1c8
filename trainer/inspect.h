// `spottrain inspect` and `spottrain verify`.
#pragma once

#include <string>

namespace spottrain {

// Prints what a checkpoint holds, without its values; 0, or 1 when it does not verify.
int inspect_checkpoint(const std::string& file);

// 0 when the checkpoint is whole, 1 with the reason on stderr when not.
int verify_checkpoint(const std::string& file);

}  // namespace spottrain
