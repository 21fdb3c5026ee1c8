#include "sim/guest/fiber/checkpoint_place.h"

#include <algorithm>
#include <functional>

namespace sim::guest {

void CheckpointPlace::publish(const KeptCheckpoint& checkpoint) {
  constexpr std::ptrdiff_t kKeep = 3;
  auto& kept = checkpoints();
  kept.push_back(checkpoint);
  const auto first_to_stay = kept.end() - std::min(kKeep, std::ssize(kept));
  const auto needed = [&](const KeptCheckpoint& old) {
    return std::any_of(first_to_stay, kept.end(),
                       [&](const KeptCheckpoint& stays) { return stays.base == old.step; });
  };
  kept.erase(std::remove_if(kept.begin(), first_to_stay, std::not_fn(needed)), first_to_stay);
}

const KeptCheckpoint* CheckpointPlace::newest() {
  const auto& kept = checkpoints();
  return kept.empty() ? nullptr : &kept.back();
}

const KeptCheckpoint* CheckpointPlace::newest_full() {
  const auto& kept = checkpoints();
  const auto found = std::find_if(kept.rbegin(), kept.rend(),
                                  [](const KeptCheckpoint& one) { return one.full(); });
  return found == kept.rend() ? nullptr : &*found;
}

std::vector<std::int64_t> CheckpointPlace::sizes_to_restore() {
  const auto& kept = checkpoints();
  const std::int64_t base = kept.back().base;
  std::vector<std::int64_t> sizes;
  for (const KeptCheckpoint& one : kept)
    if (one.step == base || &one == &kept.back()) sizes.push_back(one.bytes);
  return sizes;
}

}  // namespace sim::guest
