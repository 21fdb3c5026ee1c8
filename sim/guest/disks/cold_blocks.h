// Which blocks of a volume that was made from a snapshot are still to be fetched: EBS does it when
// each is first read. Source: EBS user guide, "Initialize Amazon EBS volumes".
#pragma once

#include <cstdint>
#include <vector>

#include "sim/guest/disks/disk_image.h"

namespace sim::guest {

class ColdBlocks {
 public:
  ColdBlocks() = default;
  // Of the snapshot's bytes, those that it stores.
  explicit ColdBlocks(const std::vector<ByteRange>& stored);

  bool empty() const { return left_ == 0; }
  // Bytes of the volume are read: returns how many are fetched for it, whole blocks.
  std::int64_t read(const ByteRange& bytes);
  // So many are read from wherever, as from the first that is cold on.
  std::int64_t read_any(std::int64_t bytes);

 private:
  std::int64_t fetch(std::size_t block);

  std::vector<bool> cold_;
  std::size_t left_ = 0;
};

}  // namespace sim::guest
