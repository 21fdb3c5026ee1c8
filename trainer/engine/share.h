// How the ranks of a gang share a batch.
#pragma once

#include <cstddef>

#include "trainer/engine/engine.h"

namespace spottrain {

// One of `size` ranks, 0 … size − 1.
struct RankOf {
  int rank = 0, size = 1;
};

// The largest number of the images that any rank gets.
std::size_t largest_share(std::size_t images, int ranks);

// The rank's images: equal shares in the order of the ranks; the last ranks' are smaller, or empty.
Batch share_of(const Batch& batch, RankOf rank, std::size_t image_size);

}  // namespace spottrain
