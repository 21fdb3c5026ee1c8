// The division of a batch among the ranks of a gang.
#pragma once

#include <cstddef>

#include "trainer/engine/engine.h"

namespace spottrain {

// One of `size` ranks: 0 … size − 1.
struct RankOf {
  int rank = 0, size = 1;
};

// The number of images of the rank with the most.
std::size_t largest_share(std::size_t images, int ranks);

// The rank's images. Shares are equal and in the order of the ranks. The last ranks' shares may be
// smaller, or empty.
Batch share_of(const Batch& batch, RankOf rank, std::size_t image_size);

}  // namespace spottrain
