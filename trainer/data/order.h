// The order in which an epoch visits the training images.
#pragma once

#include <cstdint>
#include <vector>

namespace spottrain {

// A permutation of 0 … size-1, a pure function of the arguments. The position in the data is the
// step, so there is no loader state to save or to lose.
std::vector<std::uint32_t> epoch_order(std::uint64_t seed, std::int64_t epoch, std::uint32_t size);

}  // namespace spottrain
