#include "sim/guest/disks/cold_blocks.h"

#include <algorithm>

namespace sim::guest {
namespace {

std::size_t block_of(std::int64_t byte) { return static_cast<std::size_t>(byte / kSnapshotBlock); }

}  // namespace

ColdBlocks::ColdBlocks(const std::vector<ByteRange>& stored) {
  for (const auto& [begin, end] : stored) {
    if (begin == end) continue;
    cold_.resize(std::max(cold_.size(), block_of(end - 1) + 1));
    for (std::size_t block = block_of(begin); block <= block_of(end - 1); ++block) {
      left_ += !cold_[block];
      cold_[block] = true;
    }
  }
}

std::int64_t ColdBlocks::fetch(std::size_t block) {
  if (block >= cold_.size() || !cold_[block]) return 0;
  cold_[block] = false;
  --left_;
  return kSnapshotBlock;
}

std::int64_t ColdBlocks::read(const ByteRange& bytes) {
  std::int64_t fetched = 0;
  if (!empty() && bytes.end > bytes.begin)
    for (std::size_t block = block_of(bytes.begin); block <= block_of(bytes.end - 1); ++block)
      fetched += fetch(block);
  return fetched;
}

std::int64_t ColdBlocks::read_any(std::int64_t bytes) {
  std::int64_t fetched = 0;
  for (std::size_t block = 0; block < cold_.size() && fetched < bytes && !empty(); ++block)
    fetched += fetch(block);
  return fetched;
}

}  // namespace sim::guest
