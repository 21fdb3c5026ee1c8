#include "trainer/engine/share.h"

#include <algorithm>

namespace spottrain {

std::size_t largest_share(std::size_t images, int ranks) {
  const auto size = static_cast<std::size_t>(ranks);
  return (images + size - 1) / size;
}

Batch share_of(const Batch& batch, RankOf rank, std::size_t image_size) {
  const std::size_t images = batch.labels.size(), most = largest_share(images, rank.size);
  const std::size_t first = std::min(images, most * static_cast<std::size_t>(rank.rank));
  const std::size_t count = std::min(most, images - first);
  return {.images = batch.images.subspan(first * image_size, count * image_size),
          .labels = batch.labels.subspan(first, count)};
}

}  // namespace spottrain
